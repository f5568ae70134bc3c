-- How many reports a verifier has given lately, whatever it has given in years.
create index verifications_by_time on verifications (verifier_id, created_at);
