import fc from 'fast-check'

/** Property tests try the same values in every run; PROPERTY_SEED=random, or a number, gives others. */
const given = process.env.PROPERTY_SEED ?? '20261115'
fc.configureGlobal(given === 'random' ? {} : { seed: Number(given) })
