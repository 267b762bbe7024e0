/* Python in a worker: the program as it is installed, in Pyodide. z3 is loaded when it is first
   needed. Everything comes from the site that this page came from. */

/* global importScripts, initZ3 */

const SITE = new URL('./', self.location.href)
const place = (name) => new URL(name, SITE).href
const NEED_SOLVER = ['prove', 'diff']
let session
let python
let solver

self.onmessage = async ({ data }) => {
  const { id, request, interrupt } = data
  try {
    if (id === undefined) {
      await begin(interrupt)
      postMessage({ ready: true })
      return
    }
    if (NEED_SOLVER.includes(JSON.parse(request).ask)) await (solver ??= loadSolver())
    postMessage({ id, answer: session.answer(request) })
  } catch (error) {
    postMessage({ id, failed: lastLine(error) })
  }
}

async function begin(interrupt) {
  const { loadPyodide } = await import(place('pyodide/pyodide.mjs'))
  const [runtime, program] = await Promise.all([
    loadPyodide({ indexURL: place('pyodide/') }),
    fetch(place('rulewright.whl')).then((found) => found.arrayBuffer()),
  ])
  python = runtime
  if (interrupt) python.setInterruptBuffer(interrupt)
  python.unpackArchive(program, 'zip', { extractDir: '/program' })
  session = python.runPython(`
import importlib, os, sys
sys.path.insert(0, '/program')
importlib.invalidate_caches()
os.environ['XDG_CACHE_HOME'] = '/cache'
from rulewright.playground.session import Session
from js import tell
Session(tell)
`)
}

self.tell = (doing) => postMessage({ doing })

async function loadSolver() {
  if (!self.crossOriginIsolated) throw new Error('the solver needs a page that is isolated')
  self.tell('loading the solver')
  importScripts(place('z3/z3-built.js'))
  const z3 = await initZ3({
    locateFile: (file) => place(`z3/${file}`),
    mainScriptUrlOrBlob: place('z3/z3-built.js'),
  })
  self.z3 = {
    make: () => z3._Z3_mk_context(z3._Z3_mk_config()),
    drop: (context) => z3._Z3_del_context(context),
    ask: (context, text) =>
      z3.ccall('Z3_eval_smtlib2_string', 'string', ['number', 'string'], [context, text]),
  }
  self.z3version = (await (await fetch(place('versions.json'))).json())['z3-solver']
  python.runPython(`
from js import z3, z3version
from rulewright.playground.solver import install
install(z3, z3version)
`)
}

function lastLine(error) {
  const lines = String(error?.message ?? error).trim().split('\n')
  return lines.at(-1) || 'something went wrong'
}
