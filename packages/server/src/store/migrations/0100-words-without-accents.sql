-- Words with accents are found by their plain letters, too. Those of profiles that are stored already are added here.
with plain as (
  select agent_id, array_agg(distinct letters) as words
  from agent_search, unnest(tsvector_to_array(words)) word,
    lateral (select normalize(regexp_replace(normalize(word, nfd), '[\u0300-\u036f]', '', 'g'), nfc) as letters) bare
  where letters not in ('', word)
  group by agent_id
), learnt as (
  insert into known_words (word) select distinct word from plain, unnest(words) word on conflict do nothing
)
update agent_search set words = agent_search.words || array_to_tsvector(plain.words)
from plain where plain.agent_id = agent_search.agent_id;
