//! W1, W5 and W6 in timely-dataflow, one worker.
//!
//!   timely-peer W1 N F P COUNT
//!   timely-peer W5a COUNT
//!   timely-peer W5b FILE
//!   timely-peer W6 FILE
//!
//! Prints the count and the sum at the sink, as the other programs do.
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::{Exchange, Pipeline};
use timely::dataflow::operators::generic::operator::source;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::vec::Map;
use timely::dataflow::{Scope, StreamVec};

mod vwap;

type Builder<T> = CapacityContainerBuilder<Vec<T>>;

#[derive(Default)]
pub struct Sink {
    count: AtomicU64,
    sum: AtomicU64,
}

impl Sink {
    fn add(&self, count: usize, sum: u64) {
        self.count.fetch_add(count as u64, Relaxed);
        self.sum.fetch_add(sum, Relaxed);
    }
}

#[repr(C)]
#[derive(Clone)]
struct Tuple<const P: usize> {
    seq: u64,
    payload: [u8; P],
}

impl<const P: usize> Tuple<P> {
    fn new(seq: u64) -> Self {
        let mut t = Tuple { seq, payload: [seq as u8; P] };
        t.set(1.0 + (seq & 1023) as f64 / 1024.0);
        t
    }
    fn get(&self) -> f64 {
        f64::from_le_bytes(self.payload[..8].try_into().unwrap())
    }
    fn set(&mut self, x: f64) {
        self.payload[..8].copy_from_slice(&x.to_le_bytes());
    }
    fn apply(&mut self, flops: u32) {
        let mut x = self.get();
        for _ in 0..flops / 2 {
            x = x * 1.0000001;
            x = x + -1e-7;
        }
        if flops % 2 == 1 {
            x = x * 1.0000001;
        }
        self.set(x);
    }
    fn sum(&self) -> u64 {
        let words = self.payload.chunks_exact(8);
        words.fold(self.seq, |s, w| s.wrapping_add(u64::from_le_bytes(w.try_into().unwrap())))
    }
}

/// The chain: batches of some 64 KiB go from operator to operator in place.
fn pipeline<const P: usize>(sink: Arc<Sink>, operators: usize, flops: u32, count: u64) {
    timely::execute_directly(move |worker| {
        worker.dataflow::<u64, _, _>(move |scope| {
            let batch = (65536 / (P as u64 + 8)).clamp(8, 1024);
            let mut stream: StreamVec<u64, Tuple<P>> = source::<_, Builder<Tuple<P>>, _, _>(scope, "Source", move |cap, info| {
                let activator = scope.activator_for(info.address);
                let (mut cap, mut next) = (Some(cap), 0);
                move |output| {
                    if let Some(c) = cap.as_ref() {
                        let end = (next + batch).min(count);
                        let mut tuples: Vec<_> = (next..end).map(Tuple::new).collect();
                        output.session(c).give_container(&mut tuples);
                        next = end;
                        if next >= count {
                            cap = None;
                        } else {
                            activator.activate();
                        }
                    }
                }
            });
            for _ in 0..operators {
                stream = stream.map_in_place(move |t| t.apply(flops));
            }
            stream.sink(Pipeline, "Sink", move |(input, _)| {
                input.for_each(|_, data| sink.add(data.len(), data.iter().fold(0, |s, t| s.wrapping_add(t.sum()))));
            });
        });
    });
}

/// A multiplicative hash of a key's two words.
#[derive(Default, Clone, Copy)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are pairs of words")
    }
    fn write_u64(&mut self, x: u64) {
        let h = (self.0.rotate_left(5) ^ x).wrapping_mul(0xbf58476d1ce4e5b9);
        self.0 = h ^ (h >> 32);
    }
}

type Key = (u64, u64);

/// A word of at most 15 bytes as two machine words, its length in the last byte.
fn pack(word: &[u8]) -> Key {
    let mut bytes = [0u8; 16];
    bytes[..word.len()].copy_from_slice(word);
    bytes[15] = word.len() as u8;
    let half = |i: usize| u64::from_le_bytes(bytes[i..i + 8].try_into().unwrap());
    (half(0), half(8))
}

fn words_of(line: &[u8]) -> Vec<Key> {
    line.split(|b| *b == b' ').filter(|w| !w.is_empty()).map(pack).collect()
}

fn contents(path: &str) -> Arc<Vec<u8>> {
    Arc::new(std::fs::read(path).unwrap_or_else(|e| {
        eprintln!("timely-peer: {path}: {e}");
        std::process::exit(1)
    }))
}

/// The lines of a text: where each begins and ends.
fn lines<'scope>(scope: Scope<'scope, u64>, text: Arc<Vec<u8>>) -> StreamVec<'scope, u64, (usize, usize)> {
    source::<_, Builder<(usize, usize)>, _, _>(scope, "Lines", move |cap, info| {
        let activator = scope.activator_for(info.address);
        let (mut cap, mut start) = (Some(cap), 0);
        move |output| {
            if let Some(c) = cap.as_ref() {
                let mut session = output.session(c);
                for _ in 0..256 {
                    if start >= text.len() {
                        break;
                    }
                    let rest = &text[start..];
                    let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                    session.give((start, start + length));
                    start += length + 1;
                }
                drop(session);
                if start >= text.len() {
                    cap = None;
                } else {
                    activator.activate();
                }
            }
        }
    })
}

fn word_count(sink: Arc<Sink>, path: &str) {
    let text = contents(path);
    timely::execute_directly(move |worker| {
        worker.dataflow::<u64, _, _>(move |scope| {
            let lines = lines(scope, text.clone());
            let words = lines.flat_map(move |(from, to)| words_of(&text[from..to]));
            running_counts(words, sink);
        });
    });
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e3779b97f4a7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    z ^ (z >> 31)
}

/// The distinct words of W5a, in the order in which they are drawn.
fn dictionary() -> Vec<Key> {
    let (mut words, mut seen, mut state) = (Vec::new(), HashSet::new(), 42);
    while words.len() < 175_000 {
        let length = 4 + splitmix(&mut state) % 9;
        let word: Vec<u8> = (0..length).map(|_| b'a' + (splitmix(&mut state) % 26) as u8).collect();
        if seen.insert(word.clone()) {
            words.push(pack(&word));
        }
    }
    words
}

fn word_stream(sink: Arc<Sink>, count: u64) {
    let words = dictionary();
    timely::execute_directly(move |worker| {
        worker.dataflow::<u64, _, _>(move |scope| {
            let drawn: StreamVec<u64, Key> = source::<_, Builder<Key>, _, _>(scope, "Words", move |cap, info| {
                let activator = scope.activator_for(info.address);
                let (mut cap, mut next, mut state) = (Some(cap), 0, 43);
                move |output| {
                    if let Some(c) = cap.as_ref() {
                        let end = (next + 1024).min(count);
                        let draw = |_| words[(splitmix(&mut state) % words.len() as u64) as usize];
                        let mut keys: Vec<Key> = (next..end).map(draw).collect();
                        output.session(c).give_container(&mut keys);
                        next = end;
                        if next >= count {
                            cap = None;
                        } else {
                            activator.activate();
                        }
                    }
                }
            });
            running_counts(drawn, sink);
        });
    });
}

/// How often each word came; every update goes to the sink.
fn running_counts<'scope>(words: StreamVec<'scope, u64, Key>, sink: Arc<Sink>) {
    let mut counts: HashMap<Key, u64, BuildHasherDefault<Mix>> = HashMap::default();
    let route = Exchange::new(|k: &Key| k.0 ^ k.1);
    let updates = words.unary::<Builder<(Key, u64)>, _, _, _>(route, "Count", move |_, _| {
        move |input, output| {
            input.for_each(|time, data| {
                let mut session = output.session(&time);
                for key in data.drain(..) {
                    let count = counts.entry(key).or_insert(0);
                    *count += 1;
                    session.give((key, *count));
                }
            });
        }
    });
    updates.sink(Pipeline, "Sink", move |(input, _)| {
        input.for_each(|_, data| sink.add(data.len(), data.iter().map(|(_, count)| count).sum()));
    });
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| usage())
}

fn usage() -> ! {
    eprintln!("usage: timely-peer W1 N F P COUNT | W5a COUNT | W5b FILE | W6 FILE");
    std::process::exit(2)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let sink = Arc::new(Sink::default());
    match words[..] {
        ["W1", n, f, "8", count] => pipeline::<8>(sink.clone(), number(n) as usize, number(f) as u32, number(count)),
        ["W1", n, f, "128", count] => pipeline::<128>(sink.clone(), number(n) as usize, number(f) as u32, number(count)),
        ["W5a", count] => word_stream(sink.clone(), number(count)),
        ["W5b", path] => word_count(sink.clone(), path),
        ["W6", path] => vwap::run(sink.clone(), path),
        _ => usage(),
    }
    println!("{} {}", sink.count.load(Relaxed), sink.sum.load(Relaxed));
}
