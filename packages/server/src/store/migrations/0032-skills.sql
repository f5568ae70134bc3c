-- What package registries said of skills, so that they are not asked again all day and need not be up. Old records are forgotten.
create table skills (
  registry text collate "C" not null check (registry in ('npm', 'pypi', 'clawhub')),
  name text collate "C" not null,
  found boolean not null,
  version text,
  description text,
  downloads bigint check (downloads >= 0),
  standing text collate "C" not null check (standing in ('good', 'deprecated', 'flagged')),
  checked_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (registry, name)
);
create index skills_by_expiry on skills (expires_at);
