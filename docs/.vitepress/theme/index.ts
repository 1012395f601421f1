import theme from 'vitepress/theme-without-fonts'
import './colours.css'
import './tables.css'

export default theme
