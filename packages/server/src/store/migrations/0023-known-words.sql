-- The words of all profiles, for guessing what a mistyped word stands for.
create extension if not exists pg_trgm;

create table known_words (word text collate "C" primary key);
create index known_words_alike on known_words using gin (word gin_trgm_ops) with (fastupdate = off);

insert into known_words (word)
select distinct word from agent_search, unnest(tsvector_to_array(words)) word;
