import { type Html, html, link } from '../html.ts'

/** What is different here: money is play money and time can be moved. */
export const sandboxNotes = (
  baseUrl: string,
  mailUrl?: string,
): Html => html`<section class="sandbox" aria-labelledby="sandbox">
<h2 id="sandbox">This is a sandbox</h2>
<p>All parts are real, the money is not. Mint play USDC for any address, and move the clock to see what falls due: claims lapse, deliveries are accepted, deposits go back.${
  mailUrl && html` Mail arrives on the <a href="${link(mailUrl)}">mail page</a>.`
}</p>
<pre tabindex="0" aria-label="Faucet and clock"><code>curl ${baseUrl}/v1/sandbox/faucet -H 'Content-Type: application/json' \\
  -d '{"address": "0x…", "network": "eip155:8453", "usdc": "100"}'
curl ${baseUrl}/v1/sandbox/clock -H 'Content-Type: application/json' \\
  -d '{"advance_seconds": 604800}'</code></pre>
</section>`
