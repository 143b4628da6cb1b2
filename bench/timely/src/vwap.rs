//! W6: the average price of a symbol's last four trades, and quotes that are compared with it.
use super::{contents, lines, Builder, Sink};
use std::collections::HashMap;
use std::sync::Arc;
use timely::dataflow::channels::pact::{Exchange, Pipeline};
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::vec::Map;

/// A symbol, whether it is a trade, a price, a size. (A tuple can be sent to other workers.)
type Tick = (u64, bool, f64, f64);

/// Digits and, perhaps, a point: the number without the point.
fn number(text: &[u8]) -> u64 {
    text.iter().filter(|b| **b != b'.').fold(0, |n, b| n * 10 + u64::from(b - b'0'))
}

/// Trades and quotes; prices have two digits behind the point.
fn parse(line: &[u8]) -> Option<Tick> {
    let mut fields = line.split(|b| *b == b',').skip(1);
    let mut next = || fields.next().unwrap_or_default();
    let symbol = number(&next()[1..]);
    let trade = match next() {
        b"T" => true,
        b"Q" => {
            next();
            next();
            false
        }
        _ => return None,
    };
    Some((symbol, trade, number(next()) as f64 / 100.0, number(next()) as f64))
}

#[derive(Default)]
struct Trades {
    count: usize,
    values: [f64; 4],
    volumes: [f64; 4],
    average: f64,
}

impl Trades {
    /// Sums are made anew, the oldest first.
    fn add(&mut self, price: f64, volume: f64) {
        self.values[self.count % 4] = price * volume;
        self.volumes[self.count % 4] = volume;
        self.count += 1;
        let last = self.count.saturating_sub(4)..self.count;
        let value = last.clone().fold(0.0, |s, k| s + self.values[k % 4]);
        self.average = value / last.fold(0.0, |s, k| s + self.volumes[k % 4]);
    }
}

pub fn run(sink: Arc<Sink>, path: &str) {
    let text = contents(path);
    timely::execute_directly(move |worker| {
        worker.dataflow::<u64, _, _>(move |scope| {
            let ticks = lines(scope, text.clone()).flat_map(move |(from, to)| parse(&text[from..to]));
            let mut symbols: HashMap<u64, Trades> = HashMap::default();
            let route = Exchange::new(|t: &Tick| t.0);
            let bargains = ticks.unary::<Builder<(u64, f64)>, _, _, _>(route, "Vwap", move |_, _| {
                move |input, output| {
                    input.for_each(|time, data| {
                        let mut session = output.session(&time);
                        for (symbol, trade, price, size) in data.drain(..) {
                            let trades = symbols.entry(symbol).or_default();
                            if trade {
                                trades.add(price, size);
                            } else if trades.count > 0 {
                                let less = (trades.average - price) * size;
                                session.give((symbol, if trades.average > price { less } else { 0.0 }));
                            }
                        }
                    });
                }
            });
            bargains.sink(Pipeline, "Sink", move |(input, _)| {
                input.for_each(|_, data| {
                    sink.add(data.len(), data.iter().map(|(symbol, index)| (index * 100.0) as u64 + symbol).sum());
                });
            });
        });
    });
}
