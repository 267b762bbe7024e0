/**
 * What every page of a site gets besides the theme's own script: the index of the search is loaded
 * when somebody searches, not with the first page; and what scrolls sideways can be scrolled with
 * the keyboard.
 */
(() => {
  const INDEX = /\/search\/search_index\.json$/
  const SCROLLS = '.md-typeset__scrollwrap, .rw-part, .rw-scroll, pre, pre > code, svg.rw-picture'

  /** @type {(() => void)[]} */
  let waiting = []
  let wanted = new URLSearchParams(location.search).has('q')
  const { open, send } = XMLHttpRequest.prototype
  /** @type {WeakSet<XMLHttpRequest>} */
  const later = new WeakSet()
  XMLHttpRequest.prototype.open = function (/** @type {any[]} */ ...given) {
    if (INDEX.test(String(given[1]))) later.add(this)
    return Reflect.apply(open, this, given)
  }
  XMLHttpRequest.prototype.send = function (/** @type {any[]} */ ...given) {
    const go = () => Reflect.apply(send, this, given)
    if (wanted || !later.has(this)) return go()
    waiting.push(go)
  }
  const search = () => {
    wanted = true
    for (const go of waiting.splice(0)) go()
  }
  document.addEventListener('focusin', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-md-component=search]')) search()
  })

  const reach = () => {
    // The theme calls the buttons of each block of code a landmark.
    for (const each of document.querySelectorAll('nav.md-code__nav')) each.setAttribute('role', 'none')
    for (const each of document.querySelectorAll(SCROLLS)) {
      const style = getComputedStyle(each)
      const scrolls = each.scrollWidth > each.clientWidth && /auto|scroll/.test(style.overflowX)
      if (scrolls && !each.hasAttribute('tabindex')) each.setAttribute('tabindex', '0')
    }
  }
  addEventListener('load', () => {
    reach()
    addEventListener('resize', reach)
    new MutationObserver(reach).observe(document.body, { childList: true, subtree: true })
  })
})()
