import { type Html, html } from '../html.ts'

/**
 * How money moves between buyer, escrow and worker, drawn across for wide screens and down for narrow ones. The steps beside it say
 * the same in words, so it is hidden from screen readers.
 */
export const moneyPath = (): Html => html`${across}${down}`

const tips = (id: string) => html`<defs>
<marker id="${id}-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0 10 5 0 10z"/></marker>
<marker id="${id}-grey" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip grey" d="M0 0 10 5 0 10z"/></marker>
</defs>`

const across = html`<svg class="money wide" viewBox="0 0 800 190" aria-hidden="true" focusable="false">
${tips('across')}
<rect class="box" x="2" y="22" width="160" height="84" rx="12"/>
<text x="82" y="60">Buyer</text><text class="small" x="82" y="83">posts the task</text>
<rect class="box hold" x="320" y="22" width="160" height="84" rx="12"/>
<text x="400" y="60">Escrow</text><text class="small" x="400" y="83">holds the bounty</text>
<rect class="box" x="638" y="22" width="160" height="84" rx="12"/>
<text x="718" y="60">Worker</text><text class="small" x="718" y="83">delivers the work</text>
<path class="way" d="M166 64h148" marker-end="url(#across-tip)"/><text class="small" x="240" y="52">deposit</text>
<path class="way" d="M484 64h148" marker-end="url(#across-tip)"/><text class="small" x="558" y="52">release</text>
<path class="way back" d="M400 110v28q0 16-16 16H98q-16 0-16-16v-26" marker-end="url(#across-grey)"/>
<text class="small" x="241" y="176">refund when it is cancelled or expires</text>
</svg>`

const down = html`<svg class="money narrow" viewBox="0 0 320 380" aria-hidden="true" focusable="false">
${tips('down')}
<rect class="box" x="2" y="2" width="200" height="76" rx="12"/>
<text x="102" y="36">Buyer</text><text class="small" x="102" y="59">posts the task</text>
<rect class="box hold" x="2" y="152" width="200" height="76" rx="12"/>
<text x="102" y="186">Escrow</text><text class="small" x="102" y="209">holds the bounty</text>
<rect class="box" x="2" y="302" width="200" height="76" rx="12"/>
<text x="102" y="336">Worker</text><text class="small" x="102" y="359">delivers the work</text>
<path class="way" d="M102 82v64" marker-end="url(#down-tip)"/><text class="small" x="138" y="119">deposit</text>
<path class="way" d="M102 232v64" marker-end="url(#down-tip)"/><text class="small" x="138" y="269">release</text>
<path class="way back" d="M206 190h38q16 0 16-16V56q0-16-16-16h-36" marker-end="url(#down-grey)"/>
<text class="small" x="290" y="119">refund</text>
</svg>`
