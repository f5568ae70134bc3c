import { canonicalJson, hashDocument } from '../../src/ledger/canonical-json.ts'

const texts = [
  'null',
  '{}',
  '[]',
  '{ "b" : null , "a" : [ 1 , true ] }',
  '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,1e21,123456789012345680000]}',
  '{"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"}',
  '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
  '{"10":1,"9":2,"a":{"Z":1,"_":2,"":3}}',
  '{"\\u0061\\u0301":"decomposed stays decomposed","\\u00e1":"composed stays composed"}',
  '[56,{"d":true,"10":null,"1":[]}]',
  '"\\u2028\\u007f\\u0000"',
]

const bad = ['"\\ud800"', '["\\udc00\\ud800"]', '{"\\udfff":1}']

export function canonicalJsonVectors() {
  return {
    about: 'JSON texts, their canonical form (RFC 8785) and the sha256 of its UTF-8. A lone surrogate has none.',
    cases: [
      ...texts.map((json) => {
        const value = JSON.parse(json)
        return { json, canonical: canonicalJson(value), sha256: hashDocument(value), valid: true }
      }),
      ...bad.map((json) => ({ json, valid: false })),
    ],
  }
}
