-- The rows of a database at version 1 that two tenants have used for four months.
select pontual.add_partition('audit_entries', '2026-03-01');
select pontual.add_partition('audit_entries', '2026-04-01');
select pontual.add_partition('audit_entries', '2026-05-01');
select pontual.add_partition('audit_entries', '2026-06-01');
select pontual.add_partition('audit_entries', '2026-07-01');
create table pontual.attempts_2026_02 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_02 for values from ('019c167f-cc00-0000-0000-000000000000') to ('019ca6b1-dc00-0000-0000-000000000000');
create table pontual.attempts_2026_03 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_03 for values from ('019ca6b1-dc00-0000-0000-000000000000') to ('019d4657-0000-0000-0000-000000000000');
create table pontual.attempts_2026_04 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_04 for values from ('019d4657-0000-0000-0000-000000000000') to ('019de0d5-c800-0000-0000-000000000000');
create table pontual.attempts_2026_05 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_05 for values from ('019de0d5-c800-0000-0000-000000000000') to ('019e807a-ec00-0000-0000-000000000000');
create table pontual.attempts_2026_06 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_06 for values from ('019e807a-ec00-0000-0000-000000000000') to ('019f1af9-b400-0000-0000-000000000000');
create table pontual.attempts_2026_07 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_07 for values from ('019f1af9-b400-0000-0000-000000000000') to ('019fba9e-d800-0000-0000-000000000000');
create table pontual.attempts_2026_08 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_08 for values from ('019fba9e-d800-0000-0000-000000000000') to ('01a05a43-fc00-0000-0000-000000000000');
create table pontual.attempts_2026_09 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_09 for values from ('01a05a43-fc00-0000-0000-000000000000') to ('01a0f4c2-c400-0000-0000-000000000000');
create table pontual.attempts_2026_10 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_10 for values from ('01a0f4c2-c400-0000-0000-000000000000') to ('01a19467-e800-0000-0000-000000000000');
create table pontual.attempts_2026_11 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_11 for values from ('01a19467-e800-0000-0000-000000000000') to ('01a22ee6-b000-0000-0000-000000000000');
create table pontual.attempts_2026_12 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2026_12 for values from ('01a22ee6-b000-0000-0000-000000000000') to ('01a2ce8b-d400-0000-0000-000000000000');
create table pontual.attempts_2027_01 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2027_01 for values from ('01a2ce8b-d400-0000-0000-000000000000') to ('01a36e30-f800-0000-0000-000000000000');
create table pontual.attempts_2027_02 (like pontual.attempts including all);
alter table pontual.attempts attach partition pontual.attempts_2027_02 for values from ('01a36e30-f800-0000-0000-000000000000') to ('01a3fe63-0800-0000-0000-000000000000');
create table pontual.execution_logs_2026_02 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_02 for values from ('019c167f-cc00-0000-0000-000000000000') to ('019ca6b1-dc00-0000-0000-000000000000');
create table pontual.execution_logs_2026_03 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_03 for values from ('019ca6b1-dc00-0000-0000-000000000000') to ('019d4657-0000-0000-0000-000000000000');
create table pontual.execution_logs_2026_04 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_04 for values from ('019d4657-0000-0000-0000-000000000000') to ('019de0d5-c800-0000-0000-000000000000');
create table pontual.execution_logs_2026_05 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_05 for values from ('019de0d5-c800-0000-0000-000000000000') to ('019e807a-ec00-0000-0000-000000000000');
create table pontual.execution_logs_2026_06 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_06 for values from ('019e807a-ec00-0000-0000-000000000000') to ('019f1af9-b400-0000-0000-000000000000');
create table pontual.execution_logs_2026_07 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_07 for values from ('019f1af9-b400-0000-0000-000000000000') to ('019fba9e-d800-0000-0000-000000000000');
create table pontual.execution_logs_2026_08 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_08 for values from ('019fba9e-d800-0000-0000-000000000000') to ('01a05a43-fc00-0000-0000-000000000000');
create table pontual.execution_logs_2026_09 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_09 for values from ('01a05a43-fc00-0000-0000-000000000000') to ('01a0f4c2-c400-0000-0000-000000000000');
create table pontual.execution_logs_2026_10 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_10 for values from ('01a0f4c2-c400-0000-0000-000000000000') to ('01a19467-e800-0000-0000-000000000000');
create table pontual.execution_logs_2026_11 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_11 for values from ('01a19467-e800-0000-0000-000000000000') to ('01a22ee6-b000-0000-0000-000000000000');
create table pontual.execution_logs_2026_12 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2026_12 for values from ('01a22ee6-b000-0000-0000-000000000000') to ('01a2ce8b-d400-0000-0000-000000000000');
create table pontual.execution_logs_2027_01 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2027_01 for values from ('01a2ce8b-d400-0000-0000-000000000000') to ('01a36e30-f800-0000-0000-000000000000');
create table pontual.execution_logs_2027_02 (like pontual.execution_logs including all);
alter table pontual.execution_logs attach partition pontual.execution_logs_2027_02 for values from ('01a36e30-f800-0000-0000-000000000000') to ('01a3fe63-0800-0000-0000-000000000000');
create table pontual.executions_2026_02 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_02 for values from ('019c167f-cc00-0000-0000-000000000000') to ('019ca6b1-dc00-0000-0000-000000000000');
create table pontual.executions_2026_03 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_03 for values from ('019ca6b1-dc00-0000-0000-000000000000') to ('019d4657-0000-0000-0000-000000000000');
create table pontual.executions_2026_04 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_04 for values from ('019d4657-0000-0000-0000-000000000000') to ('019de0d5-c800-0000-0000-000000000000');
create table pontual.executions_2026_05 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_05 for values from ('019de0d5-c800-0000-0000-000000000000') to ('019e807a-ec00-0000-0000-000000000000');
create table pontual.executions_2026_06 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_06 for values from ('019e807a-ec00-0000-0000-000000000000') to ('019f1af9-b400-0000-0000-000000000000');
create table pontual.executions_2026_07 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_07 for values from ('019f1af9-b400-0000-0000-000000000000') to ('019fba9e-d800-0000-0000-000000000000');
create table pontual.executions_2026_08 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_08 for values from ('019fba9e-d800-0000-0000-000000000000') to ('01a05a43-fc00-0000-0000-000000000000');
create table pontual.executions_2026_09 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_09 for values from ('01a05a43-fc00-0000-0000-000000000000') to ('01a0f4c2-c400-0000-0000-000000000000');
create table pontual.executions_2026_10 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_10 for values from ('01a0f4c2-c400-0000-0000-000000000000') to ('01a19467-e800-0000-0000-000000000000');
create table pontual.executions_2026_11 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_11 for values from ('01a19467-e800-0000-0000-000000000000') to ('01a22ee6-b000-0000-0000-000000000000');
create table pontual.executions_2026_12 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2026_12 for values from ('01a22ee6-b000-0000-0000-000000000000') to ('01a2ce8b-d400-0000-0000-000000000000');
create table pontual.executions_2027_01 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2027_01 for values from ('01a2ce8b-d400-0000-0000-000000000000') to ('01a36e30-f800-0000-0000-000000000000');
create table pontual.executions_2027_02 (like pontual.executions including all);
alter table pontual.executions attach partition pontual.executions_2027_02 for values from ('01a36e30-f800-0000-0000-000000000000') to ('01a3fe63-0800-0000-0000-000000000000');
create table pontual.history_entries_2026_02 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_02 for values from ('019c167f-cc00-0000-0000-000000000000') to ('019ca6b1-dc00-0000-0000-000000000000');
create table pontual.history_entries_2026_03 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_03 for values from ('019ca6b1-dc00-0000-0000-000000000000') to ('019d4657-0000-0000-0000-000000000000');
create table pontual.history_entries_2026_04 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_04 for values from ('019d4657-0000-0000-0000-000000000000') to ('019de0d5-c800-0000-0000-000000000000');
create table pontual.history_entries_2026_05 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_05 for values from ('019de0d5-c800-0000-0000-000000000000') to ('019e807a-ec00-0000-0000-000000000000');
create table pontual.history_entries_2026_06 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_06 for values from ('019e807a-ec00-0000-0000-000000000000') to ('019f1af9-b400-0000-0000-000000000000');
create table pontual.history_entries_2026_07 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_07 for values from ('019f1af9-b400-0000-0000-000000000000') to ('019fba9e-d800-0000-0000-000000000000');
create table pontual.history_entries_2026_08 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_08 for values from ('019fba9e-d800-0000-0000-000000000000') to ('01a05a43-fc00-0000-0000-000000000000');
create table pontual.history_entries_2026_09 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_09 for values from ('01a05a43-fc00-0000-0000-000000000000') to ('01a0f4c2-c400-0000-0000-000000000000');
create table pontual.history_entries_2026_10 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_10 for values from ('01a0f4c2-c400-0000-0000-000000000000') to ('01a19467-e800-0000-0000-000000000000');
create table pontual.history_entries_2026_11 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_11 for values from ('01a19467-e800-0000-0000-000000000000') to ('01a22ee6-b000-0000-0000-000000000000');
create table pontual.history_entries_2026_12 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2026_12 for values from ('01a22ee6-b000-0000-0000-000000000000') to ('01a2ce8b-d400-0000-0000-000000000000');
create table pontual.history_entries_2027_01 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2027_01 for values from ('01a2ce8b-d400-0000-0000-000000000000') to ('01a36e30-f800-0000-0000-000000000000');
create table pontual.history_entries_2027_02 (like pontual.history_entries including all);
alter table pontual.history_entries attach partition pontual.history_entries_2027_02 for values from ('01a36e30-f800-0000-0000-000000000000') to ('01a3fe63-0800-0000-0000-000000000000');
create table pontual.results_2026_02 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_02 for values from ('019c167f-cc00-0000-0000-000000000000') to ('019ca6b1-dc00-0000-0000-000000000000');
create table pontual.results_2026_03 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_03 for values from ('019ca6b1-dc00-0000-0000-000000000000') to ('019d4657-0000-0000-0000-000000000000');
create table pontual.results_2026_04 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_04 for values from ('019d4657-0000-0000-0000-000000000000') to ('019de0d5-c800-0000-0000-000000000000');
create table pontual.results_2026_05 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_05 for values from ('019de0d5-c800-0000-0000-000000000000') to ('019e807a-ec00-0000-0000-000000000000');
create table pontual.results_2026_06 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_06 for values from ('019e807a-ec00-0000-0000-000000000000') to ('019f1af9-b400-0000-0000-000000000000');
create table pontual.results_2026_07 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_07 for values from ('019f1af9-b400-0000-0000-000000000000') to ('019fba9e-d800-0000-0000-000000000000');
create table pontual.results_2026_08 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_08 for values from ('019fba9e-d800-0000-0000-000000000000') to ('01a05a43-fc00-0000-0000-000000000000');
create table pontual.results_2026_09 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_09 for values from ('01a05a43-fc00-0000-0000-000000000000') to ('01a0f4c2-c400-0000-0000-000000000000');
create table pontual.results_2026_10 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_10 for values from ('01a0f4c2-c400-0000-0000-000000000000') to ('01a19467-e800-0000-0000-000000000000');
create table pontual.results_2026_11 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_11 for values from ('01a19467-e800-0000-0000-000000000000') to ('01a22ee6-b000-0000-0000-000000000000');
create table pontual.results_2026_12 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2026_12 for values from ('01a22ee6-b000-0000-0000-000000000000') to ('01a2ce8b-d400-0000-0000-000000000000');
create table pontual.results_2027_01 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2027_01 for values from ('01a2ce8b-d400-0000-0000-000000000000') to ('01a36e30-f800-0000-0000-000000000000');
create table pontual.results_2027_02 (like pontual.results including all);
alter table pontual.results attach partition pontual.results_2027_02 for values from ('01a36e30-f800-0000-0000-000000000000') to ('01a3fe63-0800-0000-0000-000000000000');
insert into pontual.tenants (id, name, concurrency) overriding system value values
  ('1', 'acme', '5'),
  ('2', 'globex', '3');
select setval(pg_get_serial_sequence('pontual.tenants', 'id'), (select max(id) from pontual.tenants));
insert into pontual.api_keys (id, tenant, name, secret_hash, profile, permissions, owner_id, expires_at, created_at, revoked_at, last_used_at) values
  ('019f46bf-c200-7000-959c-abdbef1006a9', 'acme', 'key', 'abababababababababababababababababababababababababababababababab', 'Admin', '{jobs:read}', 'ana', null, '2026-07-09 12:00:00+00', null, null);
insert into pontual.attempts (execution_id, attempt, epoch, status, node_id, started_at, ended_at, error) values
  ('019cdcc4-a200-7001-8706-c4ebfb2627fd', '1', '1', 'FAILED', '019cdcc4-a200-7002-b7e7-9d2b47f66630', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '{"name":"TypeError","message":"No such month."}'),
  ('019cdcc4-a200-7006-a391-26bd675bd122', '1', '1', 'FAILED', '019cdcc4-a200-7007-bf5d-b9e0278cdcb2', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '{"name":"TypeError","message":"No such month."}'),
  ('019daac3-0200-7001-8af0-55936d68e763', '1', '1', 'FAILED', '019daac3-0200-7002-9723-4e9dcc76919a', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '{"name":"TypeError","message":"No such month."}'),
  ('019daac3-0200-7006-b890-07d27442420a', '1', '1', 'FAILED', '019daac3-0200-7007-8539-d725fe99c7c3', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '{"name":"TypeError","message":"No such month."}'),
  ('019e78c1-6200-7001-a6ef-41cab9e2018e', '1', '1', 'FAILED', '019e78c1-6200-7002-938b-1cfa2090e447', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '{"name":"TypeError","message":"No such month."}'),
  ('019e78c1-6200-7006-b7e2-d83566fcfeac', '1', '1', 'FAILED', '019e78c1-6200-7007-8d68-4e99ad5df567', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '{"name":"TypeError","message":"No such month."}');
insert into pontual.audit_entries (tenant, sequence, at, job_id, execution_id, operation, user_id, old_values, new_values, previous_hash, hash) values
  ('acme', '1', '2026-03-11 12:00:00+00', '019cdcc4-a200-7000-a087-eaf300b349c9', null, 'JOBS_JOB_CREATE', 'ana', null, '{"name":"closing 0"}', '\x0000000000000000000000000000000000000000000000000000000000000000', '\x4f79cf3b95f394aeca20794b0554bd7f3a111af41cf4a54d25693b469c9cf035'),
  ('acme', '10', '2026-05-30 12:00:00+00', '019e78c1-6200-7000-a9c7-46e73fcc669c', '019e78c1-6200-7001-a6ef-41cab9e2018e', 'JOBS_JOB_EXECUTE', null, null, '{"executionTime" : "2026-05-30T12:00:00.000Z", "durationMs" : 0}', '\xd06f0dd10ca114a609a8f58a1d82459632a9aac3eff40a2f7071f6e97d042850', '\x7d88c2403b11b4d8e8c87abc642e53faed378066c712e11f9bde07ecfc71347c'),
  ('acme', '11', '2026-05-30 12:00:00+00', '019e78c1-6200-7000-a9c7-46e73fcc669c', '019e78c1-6200-7003-83c0-9a1d0c792417', 'JOBS_JOB_FAIL', null, null, '{"errorMessage" : "No such month.", "retryCount" : 0}', '\x7d88c2403b11b4d8e8c87abc642e53faed378066c712e11f9bde07ecfc71347c', '\x1b0e802aaa51ae8f2ee16654064f281954c3664651d7534cba7a5b1c9b643a83'),
  ('acme', '12', '2026-05-30 12:00:00+00', '019e78c1-6200-7000-a9c7-46e73fcc669c', null, 'JOBS_JOB_UPDATE', 'bia', '{"a":"á"}', '{"a":[1,null]}', '\x1b0e802aaa51ae8f2ee16654064f281954c3664651d7534cba7a5b1c9b643a83', '\x0edcaf6084e92529c8aefb14635e6fb5548c81eb9ba3dd77c8587745589b175f'),
  ('acme', '2', '2026-03-11 12:00:00+00', '019cdcc4-a200-7000-a087-eaf300b349c9', '019cdcc4-a200-7001-8706-c4ebfb2627fd', 'JOBS_JOB_EXECUTE', null, null, '{"executionTime" : "2026-03-11T12:00:00.000Z", "durationMs" : 0}', '\x4f79cf3b95f394aeca20794b0554bd7f3a111af41cf4a54d25693b469c9cf035', '\x1100add545116e7b1fb79bb3322c2b3ba9baa305b86c90a93875ec1727d052ef'),
  ('acme', '3', '2026-03-11 12:00:00+00', '019cdcc4-a200-7000-a087-eaf300b349c9', '019cdcc4-a200-7003-9ce3-01f0b8829f5c', 'JOBS_JOB_FAIL', null, null, '{"errorMessage" : "No such month.", "retryCount" : 0}', '\x1100add545116e7b1fb79bb3322c2b3ba9baa305b86c90a93875ec1727d052ef', '\xf3fcec7eb9e7680d929bc89414c9b13d3101dafc9679f0810b54fb91b237b392'),
  ('acme', '4', '2026-03-11 12:00:00+00', '019cdcc4-a200-7000-a087-eaf300b349c9', null, 'JOBS_JOB_UPDATE', 'bia', '{"a":"á"}', '{"a":[1,null]}', '\xf3fcec7eb9e7680d929bc89414c9b13d3101dafc9679f0810b54fb91b237b392', '\xde4525bf64f3312138b693852cd2ffbfa140629fa35f64b98f7f933e7dd61ed1'),
  ('acme', '5', '2026-04-20 12:00:00+00', '019daac3-0200-7000-892e-3b0b30dd1741', null, 'JOBS_JOB_CREATE', 'ana', null, '{"name":"closing 1"}', '\xde4525bf64f3312138b693852cd2ffbfa140629fa35f64b98f7f933e7dd61ed1', '\x9696f65f365ccd3fc798e536498ddff63db7e9a9dd070426f670863ff7d2eb14'),
  ('acme', '6', '2026-04-20 12:00:00+00', '019daac3-0200-7000-892e-3b0b30dd1741', '019daac3-0200-7001-8af0-55936d68e763', 'JOBS_JOB_EXECUTE', null, null, '{"executionTime" : "2026-04-20T12:00:00.000Z", "durationMs" : 0}', '\x9696f65f365ccd3fc798e536498ddff63db7e9a9dd070426f670863ff7d2eb14', '\x5ed495f9e7b593a6b4d747130bf5264f40287567fb5c0831b2289fc4c2bbe903'),
  ('acme', '7', '2026-04-20 12:00:00+00', '019daac3-0200-7000-892e-3b0b30dd1741', '019daac3-0200-7003-8b7c-97843499aafe', 'JOBS_JOB_FAIL', null, null, '{"errorMessage" : "No such month.", "retryCount" : 0}', '\x5ed495f9e7b593a6b4d747130bf5264f40287567fb5c0831b2289fc4c2bbe903', '\xa61437cdffe597fbcc715870766c8ffb8fcc677bd6bd8ed63f4862098b82450a'),
  ('acme', '8', '2026-04-20 12:00:00+00', '019daac3-0200-7000-892e-3b0b30dd1741', null, 'JOBS_JOB_UPDATE', 'bia', '{"a":"á"}', '{"a":[1,null]}', '\xa61437cdffe597fbcc715870766c8ffb8fcc677bd6bd8ed63f4862098b82450a', '\x9df13749dc4a4356309bf512d4b68c174299b06638549abd1d424c7d020d275f'),
  ('acme', '9', '2026-05-30 12:00:00+00', '019e78c1-6200-7000-a9c7-46e73fcc669c', null, 'JOBS_JOB_CREATE', 'ana', null, '{"name":"closing 2"}', '\x9df13749dc4a4356309bf512d4b68c174299b06638549abd1d424c7d020d275f', '\xd06f0dd10ca114a609a8f58a1d82459632a9aac3eff40a2f7071f6e97d042850'),
  ('globex', '1', '2026-03-11 12:00:00+00', '019cdcc4-a200-7005-b48c-a60a7d213b2e', null, 'JOBS_JOB_CREATE', 'ana', null, '{"name":"closing 0"}', '\x0000000000000000000000000000000000000000000000000000000000000000', '\x69214a31b5abbb1777c3e3e31c81766774bf5ffbd9a52acccf678c5c9ad4c8fd'),
  ('globex', '10', '2026-05-30 12:00:00+00', '019e78c1-6200-7005-bd0d-f4cefd47d7d2', '019e78c1-6200-7006-b7e2-d83566fcfeac', 'JOBS_JOB_EXECUTE', null, null, '{"executionTime" : "2026-05-30T12:00:00.000Z", "durationMs" : 0}', '\x7e0274bb4f092caf8a36b41d6fc1512c3d6c7a34561ee275d7e55f7d073063a8', '\xadfe777fc6343f524aff0a801e380631dfd2c313dc78ddb0ae77709c7690bac3'),
  ('globex', '11', '2026-05-30 12:00:00+00', '019e78c1-6200-7005-bd0d-f4cefd47d7d2', '019e78c1-6200-7008-b3df-a76dec5f6ea2', 'JOBS_JOB_FAIL', null, null, '{"errorMessage" : "No such month.", "retryCount" : 0}', '\xadfe777fc6343f524aff0a801e380631dfd2c313dc78ddb0ae77709c7690bac3', '\xd8d907347e85b70f57a8720da198d6ab0437b091a9f4237227616fe988518943'),
  ('globex', '12', '2026-05-30 12:00:00+00', '019e78c1-6200-7005-bd0d-f4cefd47d7d2', null, 'JOBS_JOB_UPDATE', 'bia', '{"a":"á"}', '{"a":[1,null]}', '\xd8d907347e85b70f57a8720da198d6ab0437b091a9f4237227616fe988518943', '\xe23a78457701d8aa100402c3b3567161f65257506179469804a3d51fc8afc68a'),
  ('globex', '2', '2026-03-11 12:00:00+00', '019cdcc4-a200-7005-b48c-a60a7d213b2e', '019cdcc4-a200-7006-a391-26bd675bd122', 'JOBS_JOB_EXECUTE', null, null, '{"executionTime" : "2026-03-11T12:00:00.000Z", "durationMs" : 0}', '\x69214a31b5abbb1777c3e3e31c81766774bf5ffbd9a52acccf678c5c9ad4c8fd', '\x90712516d097e0dc98abad449c1acbfc1b80cbcf9c3b1e55b7385d93913edbc1'),
  ('globex', '3', '2026-03-11 12:00:00+00', '019cdcc4-a200-7005-b48c-a60a7d213b2e', '019cdcc4-a200-7008-bd38-88ca113f2716', 'JOBS_JOB_FAIL', null, null, '{"errorMessage" : "No such month.", "retryCount" : 0}', '\x90712516d097e0dc98abad449c1acbfc1b80cbcf9c3b1e55b7385d93913edbc1', '\x098ea70da44ccd16242033a2eb78b74227aa12d30c86990ccdf404868f4cafaf'),
  ('globex', '4', '2026-03-11 12:00:00+00', '019cdcc4-a200-7005-b48c-a60a7d213b2e', null, 'JOBS_JOB_UPDATE', 'bia', '{"a":"á"}', '{"a":[1,null]}', '\x098ea70da44ccd16242033a2eb78b74227aa12d30c86990ccdf404868f4cafaf', '\xa9f0f7079a717e767347e1c07708f233d25597058e153e94e8fe4d3c17c9a213'),
  ('globex', '5', '2026-04-20 12:00:00+00', '019daac3-0200-7005-8229-4f5c315c42a6', null, 'JOBS_JOB_CREATE', 'ana', null, '{"name":"closing 1"}', '\xa9f0f7079a717e767347e1c07708f233d25597058e153e94e8fe4d3c17c9a213', '\x38a6338b93ef9776dcd591fa96819e66e4a5cb05d7eae8a29221b99815acb083'),
  ('globex', '6', '2026-04-20 12:00:00+00', '019daac3-0200-7005-8229-4f5c315c42a6', '019daac3-0200-7006-b890-07d27442420a', 'JOBS_JOB_EXECUTE', null, null, '{"executionTime" : "2026-04-20T12:00:00.000Z", "durationMs" : 0}', '\x38a6338b93ef9776dcd591fa96819e66e4a5cb05d7eae8a29221b99815acb083', '\x9ca823e992b672c372c7399fc6503bd8f7be6f51d9a064569dc93953523ad51f'),
  ('globex', '7', '2026-04-20 12:00:00+00', '019daac3-0200-7005-8229-4f5c315c42a6', '019daac3-0200-7008-bd44-f2dcc1cad639', 'JOBS_JOB_FAIL', null, null, '{"errorMessage" : "No such month.", "retryCount" : 0}', '\x9ca823e992b672c372c7399fc6503bd8f7be6f51d9a064569dc93953523ad51f', '\x7f7d10cf37ce70d7f0398aa1e76215208a2bebff8db1c5c7d8ecadcd61df8394'),
  ('globex', '8', '2026-04-20 12:00:00+00', '019daac3-0200-7005-8229-4f5c315c42a6', null, 'JOBS_JOB_UPDATE', 'bia', '{"a":"á"}', '{"a":[1,null]}', '\x7f7d10cf37ce70d7f0398aa1e76215208a2bebff8db1c5c7d8ecadcd61df8394', '\xb3c09a0520f935130ddce3201d40da1aac523dc594388fbfb2a615aed98460c0'),
  ('globex', '9', '2026-05-30 12:00:00+00', '019e78c1-6200-7005-bd0d-f4cefd47d7d2', null, 'JOBS_JOB_CREATE', 'ana', null, '{"name":"closing 2"}', '\xb3c09a0520f935130ddce3201d40da1aac523dc594388fbfb2a615aed98460c0', '\x7e0274bb4f092caf8a36b41d6fc1512c3d6c7a34561ee275d7e55f7d073063a8');
insert into pontual.audit_heads (tenant, sequence, hash) values
  ('acme', '12', '\x0edcaf6084e92529c8aefb14635e6fb5548c81eb9ba3dd77c8587745589b175f'),
  ('globex', '12', '\xe23a78457701d8aa100402c3b3567161f65257506179469804a3d51fc8afc68a');
insert into pontual.cached_results (tenant, job_type, hash, execution_id, output, finished_at, expires_at) values
  ('acme', 'import', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '019f46bf-c200-7002-9e62-37194b62c62d', '"kept"', '2026-07-09 12:00:00+00', '2027-08-13 12:00:00+00');
insert into pontual.calendars (tenant, name, definition) values
  ('acme', 'br', '{"type": "weekly", "timeZone": "UTC", "weekdays": [0]}');
insert into pontual.cancellations (execution_id, reason, requested_at, requested_by) values
  ('019f46bf-c200-700b-8813-44c9137c1b2b', 'enough', '2026-07-09 12:00:00+00', null);
insert into pontual.checkpoints (execution_id, state, saved_at) values
  ('019f46bf-c200-700d-85d5-56c82a0d87ff', '{"at":7}', '2026-07-09 12:00:00+00');
insert into pontual.delayed (execution_id, due_at, lane, attempt, epoch, priority, job_id, awaits, is_parked, divergence) values
  ('019f46bf-c200-7006-b2e9-e11b21c58c1c', 'infinity', '1048576', '0', '1', '2', null, '0', 'true', null),
  ('019f46bf-c200-7009-a6b7-d5755306f549', 'infinity', '1048576', '0', '1', '2', null, '0', 'false', '{"reason":"mismatch","message":"Call 2 is recorded as activity \"a\", but the code called activity \"b\".","sequence":2,"recorded":{"kind":"activity","name":"a"},"called":{"kind":"activity","name":"b"}}'),
  ('019f46bf-c200-700f-8a39-782324cb6ec4', '2026-07-10 12:00:00+00', '1048576', '0', '0', '2', null, '0', 'false', null),
  ('019f46bf-c200-7011-931a-1b0c1ec32cbf', 'infinity', '1048576', '0', '0', '2', null, '1', 'false', null);
insert into pontual.execution_counters (job_id, ended) values
  ('019cdcc4-a200-7000-a087-eaf300b349c9', '2'),
  ('019cdcc4-a200-7005-b48c-a60a7d213b2e', '2'),
  ('019daac3-0200-7000-892e-3b0b30dd1741', '2'),
  ('019daac3-0200-7005-8229-4f5c315c42a6', '2'),
  ('019e78c1-6200-7000-a9c7-46e73fcc669c', '2'),
  ('019e78c1-6200-7005-bd0d-f4cefd47d7d2', '2');
insert into pontual.execution_logs (execution_id, sequence, attempt, at, level, message, fields) values
  ('019cdcc4-a200-7001-8706-c4ebfb2627fd', '1', '1', '2026-03-11 12:00:00+00', '1', 'imported “acme”', '{"rows":3}'),
  ('019cdcc4-a200-7006-a391-26bd675bd122', '1', '1', '2026-03-11 12:00:00+00', '1', 'imported “globex”', '{"rows":3}'),
  ('019daac3-0200-7001-8af0-55936d68e763', '1', '1', '2026-04-20 12:00:00+00', '1', 'imported “acme”', '{"rows":3}'),
  ('019daac3-0200-7006-b890-07d27442420a', '1', '1', '2026-04-20 12:00:00+00', '1', 'imported “globex”', '{"rows":3}'),
  ('019e78c1-6200-7001-a6ef-41cab9e2018e', '1', '1', '2026-05-30 12:00:00+00', '1', 'imported “acme”', '{"rows":3}'),
  ('019e78c1-6200-7006-b7e2-d83566fcfeac', '1', '1', '2026-05-30 12:00:00+00', '1', 'imported “globex”', '{"rows":3}');
insert into pontual.execution_numbers (execution_id, number) values
  ('019cdcc4-a200-7001-8706-c4ebfb2627fd', '1'),
  ('019cdcc4-a200-7003-9ce3-01f0b8829f5c', '2'),
  ('019cdcc4-a200-7006-a391-26bd675bd122', '1'),
  ('019cdcc4-a200-7008-bd38-88ca113f2716', '2'),
  ('019daac3-0200-7001-8af0-55936d68e763', '1'),
  ('019daac3-0200-7003-8b7c-97843499aafe', '2'),
  ('019daac3-0200-7006-b890-07d27442420a', '1'),
  ('019daac3-0200-7008-bd44-f2dcc1cad639', '2'),
  ('019e78c1-6200-7001-a6ef-41cab9e2018e', '1'),
  ('019e78c1-6200-7003-83c0-9a1d0c792417', '2'),
  ('019e78c1-6200-7006-b7e2-d83566fcfeac', '1'),
  ('019e78c1-6200-7008-b3df-a76dec5f6ea2', '2');
insert into pontual.executions (id, lane, priority, job_id, origin, payload, scheduled_at, max_attempts, idempotency_key, options, created_at) values
  ('019cdcc4-a200-7001-8706-c4ebfb2627fd', '1048576', '2', '019cdcc4-a200-7000-a087-eaf300b349c9', 'schedule', null, '2026-03-11 12:00:00+00', '3', null, null, '2026-03-11 12:00:00+00'),
  ('019cdcc4-a200-7003-9ce3-01f0b8829f5c', '1048576', '2', '019cdcc4-a200-7000-a087-eaf300b349c9', 'enqueue', null, null, '3', null, null, '2026-03-11 12:00:00+00'),
  ('019cdcc4-a200-7006-a391-26bd675bd122', '2097152', '2', '019cdcc4-a200-7005-b48c-a60a7d213b2e', 'schedule', null, '2026-03-11 12:00:00+00', '3', null, null, '2026-03-11 12:00:00+00'),
  ('019cdcc4-a200-7008-bd38-88ca113f2716', '2097152', '2', '019cdcc4-a200-7005-b48c-a60a7d213b2e', 'enqueue', null, null, '3', null, null, '2026-03-11 12:00:00+00'),
  ('019daac3-0200-7001-8af0-55936d68e763', '1048576', '2', '019daac3-0200-7000-892e-3b0b30dd1741', 'schedule', null, '2026-04-20 12:00:00+00', '3', null, null, '2026-04-20 12:00:00+00'),
  ('019daac3-0200-7003-8b7c-97843499aafe', '1048576', '2', '019daac3-0200-7000-892e-3b0b30dd1741', 'enqueue', null, null, '3', null, null, '2026-04-20 12:00:00+00'),
  ('019daac3-0200-7006-b890-07d27442420a', '2097152', '2', '019daac3-0200-7005-8229-4f5c315c42a6', 'schedule', null, '2026-04-20 12:00:00+00', '3', null, null, '2026-04-20 12:00:00+00'),
  ('019daac3-0200-7008-bd44-f2dcc1cad639', '2097152', '2', '019daac3-0200-7005-8229-4f5c315c42a6', 'enqueue', null, null, '3', null, null, '2026-04-20 12:00:00+00'),
  ('019e78c1-6200-7001-a6ef-41cab9e2018e', '1048576', '2', '019e78c1-6200-7000-a9c7-46e73fcc669c', 'schedule', null, '2026-05-30 12:00:00+00', '3', null, null, '2026-05-30 12:00:00+00'),
  ('019e78c1-6200-7003-83c0-9a1d0c792417', '1048576', '2', '019e78c1-6200-7000-a9c7-46e73fcc669c', 'enqueue', null, null, '3', null, null, '2026-05-30 12:00:00+00'),
  ('019e78c1-6200-7006-b7e2-d83566fcfeac', '2097152', '2', '019e78c1-6200-7005-bd0d-f4cefd47d7d2', 'schedule', null, '2026-05-30 12:00:00+00', '3', null, null, '2026-05-30 12:00:00+00'),
  ('019e78c1-6200-7008-b3df-a76dec5f6ea2', '2097152', '2', '019e78c1-6200-7005-bd0d-f4cefd47d7d2', 'enqueue', null, null, '3', null, null, '2026-05-30 12:00:00+00'),
  ('019f46bf-c200-7002-9e62-37194b62c62d', '1048576', '2', null, 'enqueue', '{"a":1}', null, '3', null, null, '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-7004-af96-c400b453413a', '1048576', '2', null, 'enqueue', null, null, '3', null, '{"durable":true}', '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-7006-b2e9-e11b21c58c1c', '1048576', '2', null, 'enqueue', null, null, '3', null, '{"durable":true}', '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-7008-a36b-446c1e1ae0ca', '1048577', '2', null, 'enqueue', null, null, '3', null, null, '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-7009-a6b7-d5755306f549', '1048576', '2', null, 'enqueue', null, null, '3', null, '{"durable":true}', '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-700b-8813-44c9137c1b2b', '1048576', '2', null, 'enqueue', null, null, '3', null, '{"durable":true}', '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-700d-85d5-56c82a0d87ff', '1048576', '2', null, 'enqueue', null, null, '3', null, null, '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-700f-8a39-782324cb6ec4', '1048576', '2', null, 'enqueue', null, null, '3', null, null, '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-7010-a792-54768c8f4125', '1048576', '1', null, 'enqueue', '{"a":1}', null, '3', 'once', null, '2026-07-09 12:00:00+00'),
  ('019f46bf-c200-7011-931a-1b0c1ec32cbf', '1048576', '2', null, 'enqueue', null, null, '3', null, null, '2026-07-09 12:00:00+00');
insert into pontual.history_entries (execution_id, sequence, epoch, position, calls, attempt, started_at, due_at, ended_at, child_id, kind, status, name, input, output, error, details) values
  ('019f46bf-c200-7004-af96-c400b453413a', '1', '1', '1', '1', '1', '1970-01-01 00:00:01+00', null, '1970-01-01 00:00:02+00', null, 'activity', 'COMPLETED', 'step-1', '"in"', '"1"', null, null),
  ('019f46bf-c200-7004-af96-c400b453413a', '2', '1', '2', '2', '1', '1970-01-01 00:00:01+00', null, '1970-01-01 00:00:02+00', null, 'activity', 'COMPLETED', 'step-2', null, '"2"', null, null),
  ('019f46bf-c200-7006-b2e9-e11b21c58c1c', '1', '1', '1', '1', '1', '1970-01-01 00:00:01+00', null, '1970-01-01 00:00:02+00', null, 'activity', 'COMPLETED', 'step-1', null, '"1"', null, null),
  ('019f46bf-c200-7006-b2e9-e11b21c58c1c', '2', '1', null, '2', '1', '1970-01-01 00:00:01+00', null, null, '019f46bf-c200-7008-a36b-446c1e1ae0ca', 'child', 'RUNNING', 'step-2', null, null, null, null),
  ('019f46bf-c200-7009-a6b7-d5755306f549', '1', '1', '1', '1', '1', '1970-01-01 00:00:01+00', null, '1970-01-01 00:00:02+00', null, 'activity', 'COMPLETED', 'step-1', null, '"1"', null, null),
  ('019f46bf-c200-7009-a6b7-d5755306f549', '2', '1', '2', '2', '1', '1970-01-01 00:00:01+00', null, '1970-01-01 00:00:02+00', null, 'activity', 'COMPLETED', 'step-2', null, '"2"', null, null);
insert into pontual.idempotency_keys (tenant, job_type, key, execution_id) values
  ('acme', 'import', 'once', '019f46bf-c200-7010-a792-54768c8f4125');
insert into pontual.jobs (id, tenant, name, status, resume_status, status_reason, origin, job_type, definition, payload, trigger_now, next_fire_at, previous_fire_at, times_triggered, version, created_at, updated_at, details, paused_until, search_text, search_tags) values
  ('019cdcc4-a200-7000-a087-eaf300b349c9', 'acme', 'closing 0', 'ACTIVE', null, null, 'runtime', 'import', '{"queue": "default", "retry": null, "quartz": false, "jobType": "import", "misfire": {"causes": {"overlap": "skipToNext"}, "policy": "fireOnce", "catchUp": {"limit": 1000, "order": "oldestFirst", "maxAgeMs": null, "spacingMs": 0}, "thresholdMs": 60000}, "onFault": "stop", "overlap": "allow", "trigger": {"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}, "calendar": null, "priority": "MEDIUM", "timeoutMs": null, "declaredBy": null, "concurrency": null, "maxAttempts": 3}', '{"month":3}', '{"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}', '2026-03-11 12:01:00+00', '2026-03-11 12:00:00+00', '1', '1', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '{"tags": [], "authors": [], "approval": null, "declared": null, "createdBy": null, "deletedAt": null, "deletedBy": null, "updatedBy": null, "description": null, "isSensitive": false, "scheduledBy": null}', null, 'CLOSING 0', ''),
  ('019cdcc4-a200-7005-b48c-a60a7d213b2e', 'globex', 'closing 0', 'ACTIVE', null, null, 'runtime', 'import', '{"queue": "default", "retry": null, "quartz": false, "jobType": "import", "misfire": {"causes": {"overlap": "skipToNext"}, "policy": "fireOnce", "catchUp": {"limit": 1000, "order": "oldestFirst", "maxAgeMs": null, "spacingMs": 0}, "thresholdMs": 60000}, "onFault": "stop", "overlap": "allow", "trigger": {"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}, "calendar": null, "priority": "MEDIUM", "timeoutMs": null, "declaredBy": null, "concurrency": null, "maxAttempts": 3}', '{"month":3}', '{"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}', '2026-03-11 12:01:00+00', '2026-03-11 12:00:00+00', '1', '1', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '{"tags": [], "authors": [], "approval": null, "declared": null, "createdBy": null, "deletedAt": null, "deletedBy": null, "updatedBy": null, "description": null, "isSensitive": false, "scheduledBy": null}', null, 'CLOSING 0', ''),
  ('019daac3-0200-7000-892e-3b0b30dd1741', 'acme', 'closing 1', 'ACTIVE', null, null, 'runtime', 'import', '{"queue": "default", "retry": null, "quartz": false, "jobType": "import", "misfire": {"causes": {"overlap": "skipToNext"}, "policy": "fireOnce", "catchUp": {"limit": 1000, "order": "oldestFirst", "maxAgeMs": null, "spacingMs": 0}, "thresholdMs": 60000}, "onFault": "stop", "overlap": "allow", "trigger": {"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}, "calendar": null, "priority": "MEDIUM", "timeoutMs": null, "declaredBy": null, "concurrency": null, "maxAttempts": 3}', '{"month":3}', '{"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}', '2026-04-20 12:01:00+00', '2026-04-20 12:00:00+00', '1', '1', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '{"tags": [], "authors": [], "approval": null, "declared": null, "createdBy": null, "deletedAt": null, "deletedBy": null, "updatedBy": null, "description": null, "isSensitive": false, "scheduledBy": null}', null, 'CLOSING 1', ''),
  ('019daac3-0200-7005-8229-4f5c315c42a6', 'globex', 'closing 1', 'ACTIVE', null, null, 'runtime', 'import', '{"queue": "default", "retry": null, "quartz": false, "jobType": "import", "misfire": {"causes": {"overlap": "skipToNext"}, "policy": "fireOnce", "catchUp": {"limit": 1000, "order": "oldestFirst", "maxAgeMs": null, "spacingMs": 0}, "thresholdMs": 60000}, "onFault": "stop", "overlap": "allow", "trigger": {"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}, "calendar": null, "priority": "MEDIUM", "timeoutMs": null, "declaredBy": null, "concurrency": null, "maxAttempts": 3}', '{"month":3}', '{"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}', '2026-04-20 12:01:00+00', '2026-04-20 12:00:00+00', '1', '1', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '{"tags": [], "authors": [], "approval": null, "declared": null, "createdBy": null, "deletedAt": null, "deletedBy": null, "updatedBy": null, "description": null, "isSensitive": false, "scheduledBy": null}', null, 'CLOSING 1', ''),
  ('019e78c1-6200-7000-a9c7-46e73fcc669c', 'acme', 'closing 2', 'ACTIVE', null, null, 'runtime', 'import', '{"queue": "default", "retry": null, "quartz": false, "jobType": "import", "misfire": {"causes": {"overlap": "skipToNext"}, "policy": "fireOnce", "catchUp": {"limit": 1000, "order": "oldestFirst", "maxAgeMs": null, "spacingMs": 0}, "thresholdMs": 60000}, "onFault": "stop", "overlap": "allow", "trigger": {"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}, "calendar": null, "priority": "MEDIUM", "timeoutMs": null, "declaredBy": null, "concurrency": null, "maxAttempts": 3}', '{"month":3}', '{"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}', '2026-05-30 12:01:00+00', '2026-05-30 12:00:00+00', '1', '1', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '{"tags": [], "authors": [], "approval": null, "declared": null, "createdBy": null, "deletedAt": null, "deletedBy": null, "updatedBy": null, "description": null, "isSensitive": false, "scheduledBy": null}', null, 'CLOSING 2', ''),
  ('019e78c1-6200-7005-bd0d-f4cefd47d7d2', 'globex', 'closing 2', 'ACTIVE', null, null, 'runtime', 'import', '{"queue": "default", "retry": null, "quartz": false, "jobType": "import", "misfire": {"causes": {"overlap": "skipToNext"}, "policy": "fireOnce", "catchUp": {"limit": 1000, "order": "oldestFirst", "maxAgeMs": null, "spacingMs": 0}, "thresholdMs": 60000}, "onFault": "stop", "overlap": "allow", "trigger": {"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}, "calendar": null, "priority": "MEDIUM", "timeoutMs": null, "declaredBy": null, "concurrency": null, "maxAttempts": 3}', '{"month":3}', '{"type": "cron", "timeZone": "UTC", "expression": "* * * * *"}', '2026-05-30 12:01:00+00', '2026-05-30 12:00:00+00', '1', '1', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '{"tags": [], "authors": [], "approval": null, "declared": null, "createdBy": null, "deletedAt": null, "deletedBy": null, "updatedBy": null, "description": null, "isSensitive": false, "scheduledBy": null}', null, 'CLOSING 2', '');
insert into pontual.lanes (id, tenant_id, queue, job_type, job_id) values
  ('1048576', '1', 'default', 'import', null),
  ('1048577', '1', 'default', 'child', null),
  ('2097152', '2', 'default', 'import', null);
insert into pontual.leases (execution_id, node_id, claimed_at, lane, attempt, epoch, priority, tenant_slot, job_slot, job_id, progress, progress_note, has_news, is_cancelling) values
  ('019f46bf-c200-700b-8813-44c9137c1b2b', '019f46bf-c200-700c-8ed8-7b88daaf6321', '2026-07-09 12:00:00+00', '1048576', '1', '1', '2', '1', null, null, null, null, 'true', 'true'),
  ('019f46bf-c200-700d-85d5-56c82a0d87ff', '019f46bf-c200-700e-8da2-37e7e4db7d99', '2026-07-09 12:00:00+00', '1048576', '1', '1', '2', '2', null, null, null, null, 'false', 'false');
insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared, outcome, is_child) values
  ('019f46bf-c200-7006-b2e9-e11b21c58c1c', '-2', '019f46bf-c200-7008-a36b-446c1e1ae0ca', 'end', 'false', null, 'true'),
  ('019f46bf-c200-7011-931a-1b0c1ec32cbf', '0', '019f46bf-c200-7010-a792-54768c8f4125', 'success', 'false', null, 'false'),
  ('019f46bf-c200-7011-931a-1b0c1ec32cbf', '1', '019f46bf-c200-7002-9e62-37194b62c62d', 'success', 'false', 'SUCCESS', 'false');
insert into pontual.missed (job_id, from_at, to_at, count, decision, cause, recorded_at) values
  ('019cdcc4-a200-7000-a087-eaf300b349c9', '2026-03-11 11:55:00+00', '2026-03-11 11:59:00+00', '5', 'skipped', 'outage', '2026-03-11 12:00:00+00'),
  ('019cdcc4-a200-7005-b48c-a60a7d213b2e', '2026-03-11 11:55:00+00', '2026-03-11 11:59:00+00', '5', 'skipped', 'outage', '2026-03-11 12:00:00+00'),
  ('019daac3-0200-7000-892e-3b0b30dd1741', '2026-04-20 11:55:00+00', '2026-04-20 11:59:00+00', '5', 'skipped', 'outage', '2026-04-20 12:00:00+00'),
  ('019daac3-0200-7005-8229-4f5c315c42a6', '2026-04-20 11:55:00+00', '2026-04-20 11:59:00+00', '5', 'skipped', 'outage', '2026-04-20 12:00:00+00'),
  ('019e78c1-6200-7000-a9c7-46e73fcc669c', '2026-05-30 11:55:00+00', '2026-05-30 11:59:00+00', '5', 'skipped', 'outage', '2026-05-30 12:00:00+00'),
  ('019e78c1-6200-7005-bd0d-f4cefd47d7d2', '2026-05-30 11:55:00+00', '2026-05-30 11:59:00+00', '5', 'skipped', 'outage', '2026-05-30 12:00:00+00');
insert into pontual.nodes (id, name, slots, queues, job_types, lease_ms, started_at, renewed_at, expires_at) values
  ('019cdcc4-a200-7004-ad01-0770feacb771', 'node', '10', '{default}', '{import}', '30000', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '2026-03-11 12:00:30+00'),
  ('019cdcc4-a200-7009-a505-c581c461310c', 'node', '10', '{default}', '{import}', '30000', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '2026-03-11 12:00:30+00'),
  ('019daac3-0200-7004-a87b-2f348bcc0dbc', 'node', '10', '{default}', '{import}', '30000', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '2026-04-20 12:00:30+00'),
  ('019daac3-0200-7009-a73c-c3b352c5dc6c', 'node', '10', '{default}', '{import}', '30000', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '2026-04-20 12:00:30+00'),
  ('019e78c1-6200-7004-9f49-d007dda33cf5', 'node', '10', '{default}', '{import}', '30000', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '2026-05-30 12:00:30+00'),
  ('019e78c1-6200-7009-b157-a7f0eb3bf791', 'node', '10', '{default}', '{import}', '30000', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '2026-05-30 12:00:30+00'),
  ('019f46bf-c200-7003-a198-0fdb829333d3', 'node', '10', '{default}', '{import}', '30000', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '2026-07-09 12:00:30+00'),
  ('019f46bf-c200-7005-aa8f-d491ad435adf', 'node', '10', '{default}', '{import}', '30000', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '2026-07-09 12:00:30+00'),
  ('019f46bf-c200-7007-ba56-833729bb3537', 'node', '10', '{default}', '{import}', '30000', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '2026-07-09 12:00:30+00'),
  ('019f46bf-c200-700a-a855-4b0782520d27', 'node', '10', '{default}', '{import}', '30000', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '2026-07-09 12:00:30+00'),
  ('019f46bf-c200-700c-8ed8-7b88daaf6321', 'node', '10', '{default}', '{import}', '30000', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '2026-07-09 12:00:30+00'),
  ('019f46bf-c200-700e-8da2-37e7e4db7d99', 'node', '10', '{default}', '{import}', '30000', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '2026-07-09 12:00:30+00');
insert into pontual.occurrences (job_id, scheduled_at, execution_id, decision, cause, misfire, recorded_at) values
  ('019cdcc4-a200-7000-a087-eaf300b349c9', '2026-03-11 12:00:00+00', '019cdcc4-a200-7001-8706-c4ebfb2627fd', 'fired', null, null, '2026-03-11 12:00:00+00'),
  ('019cdcc4-a200-7005-b48c-a60a7d213b2e', '2026-03-11 12:00:00+00', '019cdcc4-a200-7006-a391-26bd675bd122', 'fired', null, null, '2026-03-11 12:00:00+00'),
  ('019daac3-0200-7000-892e-3b0b30dd1741', '2026-04-20 12:00:00+00', '019daac3-0200-7001-8af0-55936d68e763', 'fired', null, null, '2026-04-20 12:00:00+00'),
  ('019daac3-0200-7005-8229-4f5c315c42a6', '2026-04-20 12:00:00+00', '019daac3-0200-7006-b890-07d27442420a', 'fired', null, null, '2026-04-20 12:00:00+00'),
  ('019e78c1-6200-7000-a9c7-46e73fcc669c', '2026-05-30 12:00:00+00', '019e78c1-6200-7001-a6ef-41cab9e2018e', 'fired', null, null, '2026-05-30 12:00:00+00'),
  ('019e78c1-6200-7005-bd0d-f4cefd47d7d2', '2026-05-30 12:00:00+00', '019e78c1-6200-7006-b7e2-d83566fcfeac', 'fired', null, null, '2026-05-30 12:00:00+00');
insert into pontual.rates (job_type, tenant, starts, counts, expires_at) values
  ('import', 'acme', '{1783598400000}', '{1}', '2026-07-09 12:01:00+00');
insert into pontual.ready (lane, attempt, epoch, priority, execution_id, job_id) values
  ('1048576', '0', '0', '1', '019f46bf-c200-7010-a792-54768c8f4125', null),
  ('1048577', '0', '0', '2', '019f46bf-c200-7008-a36b-446c1e1ae0ca', null);
insert into pontual.replays (execution_id, epoch, replayed_at) values
  ('019f46bf-c200-700b-8813-44c9137c1b2b', '1', '2026-07-09 12:00:00+00');
insert into pontual.requests (tenant, user_id, key, fingerprint, resource_id, begun_at, expires_at, answer_status, answer_headers, answer_body) values
  ('acme', 'ana', 'k1', 'f', '019f46bf-c200-7001-9d63-e7570a1943b8', '2026-07-09 12:00:00+00', '2026-07-10 12:00:00+00', '202', '{}', '{}');
insert into pontual.results (execution_id, status, attempt, epoch, is_reported, node_id, started_at, finished_at, output, error, progress, progress_note, cached_from, ended_by) values
  ('019cdcc4-a200-7001-8706-c4ebfb2627fd', 'SUCCESS', '2', '2', 'true', '019cdcc4-a200-7002-b7e7-9d2b47f66630', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '{"rows":3}', null, null, null, null, null),
  ('019cdcc4-a200-7003-9ce3-01f0b8829f5c', 'FAILED', '1', '1', 'true', '019cdcc4-a200-7004-ad01-0770feacb771', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', null, '{"name":"TypeError","message":"No such month."}', null, null, null, null),
  ('019cdcc4-a200-7006-a391-26bd675bd122', 'SUCCESS', '2', '2', 'true', '019cdcc4-a200-7007-bf5d-b9e0278cdcb2', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', '{"rows":3}', null, null, null, null, null),
  ('019cdcc4-a200-7008-bd38-88ca113f2716', 'FAILED', '1', '1', 'true', '019cdcc4-a200-7009-a505-c581c461310c', '2026-03-11 12:00:00+00', '2026-03-11 12:00:00+00', null, '{"name":"TypeError","message":"No such month."}', null, null, null, null),
  ('019daac3-0200-7001-8af0-55936d68e763', 'SUCCESS', '2', '2', 'true', '019daac3-0200-7002-9723-4e9dcc76919a', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '{"rows":3}', null, null, null, null, null),
  ('019daac3-0200-7003-8b7c-97843499aafe', 'FAILED', '1', '1', 'true', '019daac3-0200-7004-a87b-2f348bcc0dbc', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', null, '{"name":"TypeError","message":"No such month."}', null, null, null, null),
  ('019daac3-0200-7006-b890-07d27442420a', 'SUCCESS', '2', '2', 'true', '019daac3-0200-7007-8539-d725fe99c7c3', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', '{"rows":3}', null, null, null, null, null),
  ('019daac3-0200-7008-bd44-f2dcc1cad639', 'FAILED', '1', '1', 'true', '019daac3-0200-7009-a73c-c3b352c5dc6c', '2026-04-20 12:00:00+00', '2026-04-20 12:00:00+00', null, '{"name":"TypeError","message":"No such month."}', null, null, null, null),
  ('019e78c1-6200-7001-a6ef-41cab9e2018e', 'SUCCESS', '2', '2', 'true', '019e78c1-6200-7002-938b-1cfa2090e447', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '{"rows":3}', null, null, null, null, null),
  ('019e78c1-6200-7003-83c0-9a1d0c792417', 'FAILED', '1', '1', 'true', '019e78c1-6200-7004-9f49-d007dda33cf5', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', null, '{"name":"TypeError","message":"No such month."}', null, null, null, null),
  ('019e78c1-6200-7006-b7e2-d83566fcfeac', 'SUCCESS', '2', '2', 'true', '019e78c1-6200-7007-8d68-4e99ad5df567', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', '{"rows":3}', null, null, null, null, null),
  ('019e78c1-6200-7008-b3df-a76dec5f6ea2', 'FAILED', '1', '1', 'true', '019e78c1-6200-7009-b157-a7f0eb3bf791', '2026-05-30 12:00:00+00', '2026-05-30 12:00:00+00', null, '{"name":"TypeError","message":"No such month."}', null, null, null, null),
  ('019f46bf-c200-7002-9e62-37194b62c62d', 'SUCCESS', '1', '1', 'true', '019f46bf-c200-7003-a198-0fdb829333d3', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '"kept"', null, null, null, null, null),
  ('019f46bf-c200-7004-af96-c400b453413a', 'SUCCESS', '1', '1', 'true', '019f46bf-c200-7005-aa8f-d491ad435adf', '2026-07-09 12:00:00+00', '2026-07-09 12:00:00+00', '"ran"', null, null, null, null, null);
insert into pontual.sessions (secret_hash, tenant, user_id, owner_id, profile, permissions, source, key_id, created_at, expires_at) values
  ('cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd', 'acme', 'ana', 'ana', 'Admin', '{jobs:read}', 'apiKey', '019f46bf-c200-7000-959c-abdbef1006a9', '2026-07-09 12:00:00+00', '2027-08-13 12:00:00+00');
insert into pontual.signals (id, execution_id, name, payload, idempotency_key, sent_at, is_taken) overriding system value values
  ('1', '019f46bf-c200-7009-a6b7-d5755306f549', 'go', '{"yes":true}', 's1', '2026-07-09 12:00:00+00', 'false');
select setval(pg_get_serial_sequence('pontual.signals', 'id'), (select max(id) from pontual.signals));
insert into pontual.tenant_settings (tenant, settings, version, updated_at) values
  ('acme', '{"language": "pt-BR", "webhooks": [{"id": "0d5a3c42-6c1f-4a52-9d0c-3f6f3f0d9a11", "url": "https://hooks.acme.test/a", "events": ["job.failed"], "secret": "abababababababababababababababababababababababababababababababab"}], "allowsSeconds": true, "adminAddresses": ["ana@acme.test"], "allowsSelfApproval": false}', '1', '2026-07-09 12:00:00+00');
select pontual.enable_audit();
select pontual.secure_rows();
