use jungletb::{game::*, material::*, solve::*, table::*};
fn main() {
    let rules = Rules::load(&std::env::args().nth(1).unwrap()).unwrap();
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let dir = std::path::PathBuf::from(std::env::args().nth(3).unwrap());
    let classes = Classes::new(&rules);
    let store = Store::new(&dir, &rules);
    let g = Generator::new(&rules, &classes, &store, true, u64::MAX, &Silent);
    let t = std::time::Instant::now();
    let list = match std::env::args().nth(4) {
        Some(m) => graph::closure(&classes, &rules, &[Material::parse(&rules, &m).unwrap()]),
        None => graph::up_to(&classes, &rules, n),
    };
    let r = g.run(&list).unwrap();
    let pos: u64 = list.iter().map(|c| c.stored_positions()).sum();
    let bytes: u64 = r.iter().map(|r| r.bytes).sum();
    let longest = r.iter().map(|r| r.summary.longest_plies()).max();
    eprintln!("{} classes {pos} positions {bytes} bytes longest {longest:?} {:?}", r.len(), t.elapsed());
    // Check counts
    let mut ok = 0;
    for line in include_str!("../tests/data/counts.tsv").lines().filter(|l| !l.starts_with('#')) {
        let f: Vec<&str> = line.split('\t').collect();
        if f[0] != rules.name() {
            continue;
        }
        let m = Material::parse(&rules, f[1]).unwrap();
        let place = classes.place(&rules, m).unwrap();
        if place.class.pieces() > n {
            continue;
        }
        let table = store.table(&rules, &place.class, Metric::Dtw).unwrap();
        let mut got = vec![];
        for color in Color::BOTH {
            let (_, side) = place.casting(color);
            let s = &table.summary().sides[side.index()];
            let (w, l) = (s.wins, s.losses);
            got.extend([w, s.draws, l]);
        }
        got.push(table.summary().longest_plies().into());
        let want: Vec<u64> = f[2..].iter().map(|x| x.parse().unwrap()).collect();
        if got != want {
            println!("{line}\n got {got:?} class {}", place.class.name());
        } else {
            ok += 1;
        }
    }
    println!("{ok} ok");
}
