-- Lanes that hold anything, in their order from one on and round to another, by steps from one to the next; those that are given are left out.
create or replace function pontual.busy_lanes(left_out bigint[], after bigint, until bigint, most integer)
returns setof bigint
language plpgsql stable rows 10
set plan_cache_mode = force_generic_plan
as $$
declare
  one integer := 1;
  gap record;
  found_lane bigint;
begin
  for gap in
    select
      segment.nth,
      border.lane as since,
      lead(border.lane, 1, segment.last + 1) over (partition by segment.nth order by border.lane) as until
    from (
      select 1, after, case when until > after then until else 9223372036854775806 end
      union all
      select 2, -1, until
      where until <= after
    ) as segment (nth, first, last)
    cross join lateral (
      select segment.first
      union all
      select each
      from unnest(left_out) as each
      where each > segment.first
        and each <= segment.last
    ) as border (lane)
    order by segment.nth, border.lane
  loop
    found_lane := gap.since;
    loop
      exit when most <= 0;
      select ready.lane into found_lane
      from pontual.ready
      cross join generate_series(1, one)
      where ready.lane > found_lane
        and ready.lane < gap.until
      order by ready.lane
      limit 1;
      exit when found_lane is null;
      most := most - 1;
      return next found_lane;
    end loop;
  end loop;
end
$$;
