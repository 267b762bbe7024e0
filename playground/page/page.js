/** The playground: a text on the left, and on the right what can be done with it. Two programs run
 * in workers: one answers while you type and play, the other does what takes long and can be stopped. */

import * as board from './board.js'
import * as editor from './editor.js'
import { packed, read } from './links.js'
import { Program } from './program.js'

const PAUSE = 150
const DEPTH = 4
const find = (id) => document.getElementById(id)
const quick = new Program((doing) => status(doing))
const long = new Program((doing) => status(doing))
let games = {}
let first = ''
let checks = 0
let pause = 0
/** What is to be said of the link that the rules came from. */
let remark = ''

function status(words) {
  find('status').textContent = words
}

// ---- isolation: what the solver needs

async function isolate() {
  if (self.crossOriginIsolated || !navigator.serviceWorker) return
  try {
    await navigator.serviceWorker.register('isolate.js')
    await navigator.serviceWorker.ready
  } catch {
    return
  }
  if (sessionStorage.getItem('isolating')) return // once is enough
  sessionStorage.setItem('isolating', 'yes')
  location.reload()
  await new Promise(() => {})
}

// ---- the text

async function check() {
  const text = editor.content()
  const mine = ++checks
  const found = await quick.ask('check', { text })
  if (mine !== checks || text !== editor.content()) return
  if (found.refused) return status(found.refused)
  editor.mark(found.diagnostics)
  find('problems').replaceChildren(...found.diagnostics.map(problem))
  find('mend').disabled = !found.diagnostics.some((each) => each.fix)
  board.playable(found.usable ? found.players : null)
  for (const id of ['test', 'run', 'perft']) find(id).disabled = !found.usable
  for (const id of ['diff', 'prove']) find(id).disabled = !found.usable || !self.crossOriginIsolated
  const errors = found.diagnostics.filter((each) => each.severity === 'error').length
  const said = errors ? `${errors} ${errors === 1 ? 'error' : 'errors'}` : 'The rules can be used.'
  status(remark ? `${remark} ${said}` : said)
}

function changed() {
  checks++
  clearTimeout(pause)
  pause = setTimeout(check, PAUSE)
  board.changed(editor.content())
}

function problem(found) {
  const row = document.createElement('li')
  row.className = found.severity
  const place = element('button', 'place', `${found.line}:${found.column}`)
  place.onclick = () => editor.show(found)
  row.append(place, element('span', 'code', `${found.code} `), found.message)
  if (found.help) row.append(element('span', 'help', ` (${found.help}) `))
  if (found.fix) {
    const fix = element('button', 'fix', found.fix.text ? `Write \`${found.fix.text.trim()}\`` : 'Remove it')
    fix.onclick = () => editor.fix(found.fix)
    row.append(fix)
  }
  return row
}

function element(kind, name, words) {
  const made = document.createElement(kind)
  made.className = name
  made.textContent = words
  return made
}

async function rewrite(ask) {
  const text = editor.content()
  const found = await quick.ask(ask, { text })
  if (found.refused) return status(board.refusal(found))
  if (text === editor.content() && found.text !== text) editor.replace(found.text)
}

function open(text) {
  first = text
  editor.replace(text)
  find('changes-said').textContent = 'The rules are compared with the version you began with.'
}

// ---- what takes long

async function work(where, ask, given) {
  const stops = document.querySelectorAll('.stop')
  for (const each of stops) each.disabled = false
  find(where).textContent = 'Working…'
  long.tell = (doing) => doing && (find(where).textContent = doing)
  if (!long.busy) long.tell('Starting…')
  let found
  try {
    found = await long.ask(ask, { text: editor.content(), ...given })
  } catch (error) {
    found = { refused: error.message }
  }
  if (!long.busy) for (const each of stops) each.disabled = true
  find(where).textContent = found.refused ? board.refusal(found) : `${found.text ?? ''}${found.said}`
  return found
}

async function prove() {
  find('verdicts').hidden = find('witness').hidden = true
  const players = Number(find('proof-players').value) || null
  const { report, games: shown } = await work('proofs-said', 'prove', { players })
  if (!report) return
  const { proved, refuted, unknown, stopped } = report.summary
  const words = [[proved, 'proved'], [refuted, 'refuted'], [unknown, 'unknown']]
  const counts = words.filter(([number]) => number).map((each) => each.join(' ')).join(', ')
  find('proofs-said').textContent = `${counts || 'nothing decided'}${stopped ? ` (${stopped})` : ''}`
  const rows = report.results.map((each) => verdict(each, shown))
  find('verdicts').tBodies[0].replaceChildren(...rows)
  find('verdicts').hidden = rows.length === 0
}

function verdict(found, shown) {
  const row = document.createElement('tr')
  const said = element('td', found.verdict, found.verdict)
  if (found.reason) said.append(`: ${found.reason}`)
  if (shown[found.name]) {
    const show = element('button', 'show', 'show the game')
    show.onclick = () => {
      find('witness').hidden = false
      board.draw(find('witness'), shown[found.name])
    }
    said.append(' ', show)
  }
  row.append(element('td', 'claim', found.name), element('td', '', String(found.players)), said)
  return row
}

// ---- the page

function wire() {
  find('games').onchange = () => {
    remark = ''
    open(games[find('games').value])
  }
  find('mend').onclick = () => rewrite('mend')
  find('format').onclick = () => rewrite('format')
  find('link').onclick = async () => {
    const text = editor.content()
    const known = Object.keys(games).find((name) => games[name] === text)
    const hash = known ? `#game=${known}` : `#spec=${await packed(text)}`
    history.replaceState(null, '', hash)
    await navigator.clipboard?.writeText(location.href).catch(() => {})
    status('The link is in the address bar and on the clipboard.')
  }
  find('test').onclick = () => work('games-said', 'test')
  find('run').onclick = () => work('games-said', 'run', { games: 100 })
  find('perft').onclick = () => work('games-said', 'perft', { depth: DEPTH })
  find('diff').onclick = () => work('changes-said', 'diff', { old: first })
  find('rebase').onclick = () => {
    first = editor.content()
    find('changes-said').textContent = 'The rules are compared with this version from now on.'
  }
  find('prove').onclick = prove
  for (const each of document.querySelectorAll('.stop')) each.onclick = () => long.stop()
  for (const tab of document.querySelectorAll('[role=tab]')) {
    tab.onclick = () => {
      for (const each of document.querySelectorAll('[role=tab]')) {
        each.ariaSelected = String(each === tab)
        find(each.dataset.pane).hidden = each !== tab
      }
    }
  }
}

async function wanted(name) {
  remark = ''
  try {
    const asked = await read(location.hash)
    if (asked.spec !== undefined) return asked.spec
    if (asked.game !== undefined) {
      if (Object.hasOwn(games, asked.game)) find('games').value = name = asked.game
      else remark = `There is no game \`${asked.game}\` here.`
    }
  } catch {
    remark = 'The link cannot be read; it may have been cut off.'
  }
  return games[name]
}

async function start() {
  await isolate()
  status('Starting Python…')
  const found = await quick.ask('games')
  games = found.games
  find('games').replaceChildren(...Object.keys(games).map((each) => new Option(each, each)))
  find('games').value = found.first
  find('games').disabled = find('format').disabled = false
  wire()
  editor.begin(changed)
  board.begin(quick, editor.content)
  if (!self.crossOriginIsolated) {
    find('proofs-said').textContent =
      'The solver cannot run here: the page needs a service worker, and a site that is served by https or from this machine.'
  }
  open(await wanted(found.first))
  self.addEventListener('hashchange', async () => open(await wanted(found.first)))
}

start().catch((error) => status(`The program does not start: ${error.message}`))
