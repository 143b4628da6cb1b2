// What the numbers behind decisions are, in words.
const NUMBER_NAMES = {
  best: "best throughput",
  candidate: "candidate",
  confidence: "sure of it (0 to 1)",
  confidenceSecond: "sure that it is better than the second (0 to 1)",
  firstThroughput: "throughput of the first one",
  gain: "gain over what was set",
  group: "nodes in the group",
  handOffFactor: "cost of a queue, times the measured one",
  kept: "nodes that keep their queue",
  lastBest: "best throughput the last time",
  lastThreads: "workers the last time",
  latency: "latency in seconds",
  longer: "throughput over a longer time",
  longerBefore: "throughput over a longer time, of what was set",
  measured: "throughput measured",
  measuredBefore: "throughput measured before",
  moved: "how far the load has moved",
  otherThreads: "workers of the other one",
  otherThroughput: "throughput of the other one",
  predicted: "throughput by the model",
  promised: "gain that the model promises, times",
  promisedBefore: "gain that it promised before, times",
  queues: "queues",
  rate: "rate of the sources, times the one before",
  reference: "throughput to compare with",
  rowCost: "cost of a tuple, times the one before",
  seconds: "seconds of the search",
  threads: "workers",
  throughput: "throughput",
  tried: "nodes tried",
  triedBefore: "nodes tried before",
  windows: "intervals",
};
/// `predicted` with 48000 is "throughput by the model 48 k"; names that are not listed are read as
/// they are written. A bottleneck is a node.
const inWords = (name) => name.replace(/[A-Z]/g, (c) => " " + c.toLowerCase());
const numberText = (name, value, nodes, units) =>
  name == "bottleneck" && nodes[value]
    ? "bottleneck " + nodes[value].name
    : `${NUMBER_NAMES[name] ?? inWords(name)} ${units(value)}`;
