// The model of README.md for Alloy 6; benchmarks/peer.py fills in the names that begin with a dollar.
// Dice, places and misthrows are atoms with static tables, integers only count crosses: with integers
// throughout it takes thirty times as long. Leaves out scores; what the induction rests on (`aux`) was
// found by hand.
abstract sig Row {}
one sig Red, Yellow, Green, Blue extends Row {}
abstract sig Phase {}
one sig Roll, White, Color extends Phase {}
abstract sig Die {}
one sig D1, D2, D3, D4, D5, D6 extends Die {}
abstract sig Pos {}
one sig X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10 extends Pos {}
abstract sig Mis {}
one sig M0, M1, M2, M3, M4 extends Mis {}
fun less: Pos -> Pos { $less }
fun asc: Die -> Die -> Pos { $rising }
fun desc: Die -> Die -> Pos { $falling }
fun inc: Mis -> Mis { M0->M1 + M1->M2 + M2->M3 + M3->M4 }
abstract sig Player { var crossed: Row -> Pos, var last: Row -> lone Pos, var lock: set Row, var mis: one Mis }
one sig $players extends Player {}
fun nxt: Player -> Player { $following }
one sig G { var closed: set Row, var active: one Player, var decided: set Player,
  var w1, w2: one Die, var d: Row -> one Die, var phase: one Phase }
var lone sig Used {}   // the active player crossed in action 1
var lone sig Over {}

fun pos[r: Row, a, b: Die]: Pos { r in Red + Yellow => b.(a.asc) else b.(a.desc) }
pred can[p: Player, r: Row, i: Pos] {
  r not in G.closed
  no p.last[r] or i in p.last[r].less
  i = X10 implies #(p.crossed[r]) >= $need
}
pred sheetSame { crossed' = crossed and last' = last and lock' = lock }
pred mark[p: Player, r: Row, i: Pos] {
  crossed' = crossed + p -> r -> i
  last' = last - p -> r -> Pos + p -> r -> i
  lock' = (i = X10 => lock + p -> r else lock)
}
pred two[c: set Row] { some c and not lone c }

pred init {
  no crossed and no lock and no last and all p: Player | p.mis = M0
  no G.closed and G.active = P0 and no G.decided and G.phase = Roll and no Used and no Over
  G.w1 = D1 and G.w2 = D1 and all r: Row | G.d[r] = D1
}
pred roll {
  no Over and G.phase = Roll
  no Used' and no G.decided' and G.phase' = White
  sheetSame and mis' = mis and closed' = closed and active' = active and Over' = Over
}
pred white[p: Player] {
  no Over and G.phase = White and p not in G.decided
  { sheetSame and Used' = Used } or
  { some r: Row | let i = pos[r, G.w1, G.w2] | can[p, r, i] and mark[p, r, i]
     p = G.active => some Used' else Used' = Used }
  G.decided' = G.decided + p
  Player in G.decided + p
    => { G.phase' = Color and G.closed' = G.closed + Player.lock' and (some Over' iff two[G.closed']) }
    else { phase' = phase and closed' = closed and Over' = Over }
  mis' = mis and active' = active and w1' = w1 and w2' = w2 and d' = d
}
pred color {
  no Over and G.phase = Color
  let p = G.active {
    { sheetSame and closed' = closed
       mis' = (no Used => mis ++ p -> p.mis.inc else mis) } or
    { some r: Row, x: G.w1 + G.w2 | let i = pos[r, x, G.d[r]] |
         can[p, r, i] and mark[p, r, i] and G.closed' = (i = X10 => G.closed + r else G.closed)
       mis' = mis }
    some Over' iff (p.mis' = M4 or two[G.closed'])
    G.active' = p.nxt
  }
  G.phase' = Roll and decided' = decided and Used' = Used and w1' = w1 and w2' = w2 and d' = d
}
pred step { roll or (some p: Player | white[p]) or color }

pred lockNeeds6 { all p: Player, r: p.lock | #(p.crossed[r]) >= 6 }
pred leftToRight { all p: Player, r: Row | let c = p.crossed[r], l = p.last[r] {
  no c => no l else (one l and l in c and c in l + less.l)
} }
pred closed3 { Row not in G.closed }
pred overIff { some Over iff ((some p: Player | p.mis = M4) or two[G.closed]) }
pred goals { lockNeeds6 and leftToRight and closed3 and overIff }
pred aux {
  G.phase = White implies no Over
  all p: Player, r: p.lock | (G.phase = White and r not in G.closed) implies pos[r, G.w1, G.w2] = X10
  all p: Player, r: p.lock | G.phase != White implies r in G.closed
}
pred inv { goals and aux }

induct: check { (inv and step) implies after inv } for 5 Int, 1..2 steps
base: check { init implies inv } for 5 Int, 1 steps
