# REQUIRES: slow
# RUN: %python %s
"""Native operators in checkpoints: what a program that was killed again and again has written is
what an undisturbed one writes."""

import bz2
import gzip
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from checkpoints import Killed, files_of, undisturbed  # noqa: E402
from support import FOLDER, expect, finish, sluice, write  # noqa: E402

ROWS = 1200


def row(i):
    quoted = f'"two\nlines of {i}"' if i % 7 == 0 else f"text{i}"
    end = "\r\n" if i % 3 == 0 else "\n"
    return f"{i},{quoted}{end}" if i % 50 != 9 else f"bad,row{end}"


CSV = "n,text\n" + "".join(row(i) for i in range(ROWS))
XML = "".join(
    f"<all id='{i}'><item n='{i}'>text &amp; more {i}</item><other><item n='x'/></other>"
    f"<item n='{-i}'>{'long ' * (i % 40)}</item></all>\n"
    for i in range(ROWS // 2)
)
FILES = {
    "in.csv": CSV.encode(),
    "in.csv.gz": gzip.compress(CSV.encode()),
    "in.utf16": CSV.encode("utf-16-le"),
    "gone.csv": CSV.encode(),
    "delayed.csv": "".join(f"0.002,{row(i)}" for i in range(1, 300) if i % 7).encode(),
    "in.txt": "".join(
        f'{{n={i},text="a"}} {{n={-i},\ntext="b"}}\n' for i in range(ROWS // 2)
    ).encode(),
    "in.xml": XML.encode(),
    **{f"scanned/f{i:03}": f"{i}\n{i}b\n".encode() for i in range(150)},
    **{f"queue/f{i:03}": f"{i}\n{i}c\n".encode() for i in range(150)},
}

source = write(
    "Natives.spl",
    """use sluice.external::*;
use spl.XML::*;
composite Natives {
  type Row = int32 n, rstring text, int64 at;
  graph
    stream<Row> Quick = FileSource() {
      param file : "in.csv"; format : csv; hasHeaderLine : true; parsing : permissive;
      output Quick : at = TupleNumber();
    }
    stream<Row> Plain = Throttle(Quick) { param rate : 700.0; }
    () as PlainOut = FileSink(Plain) { param file : "plain"; }
    stream<Row> Wide = FileSource() {
      param file : "in.utf16"; encoding : "UTF-16LE"; format : csv; hasHeaderLine : true;
        parsing : permissive;
      output Wide : at = TupleNumber();
    }
    stream<Row> SlowWide = Throttle(Wide) { param rate : 700.0; }
    () as WideOut = FileSink(SlowWide) { param file : "wide.gz"; compression : gzip; }
    () as WideOut2 = FileSink(SlowWide) {
      param file : "wide{id}.bz2"; compression : bzip2; closeMode : count; tuplesPerFile : 150u;
        moveFileToDirectory : "taken";
    }
    stream<Row> Zipped = FileSource() {
      param file : "in.csv.gz"; format : csv; hasHeaderLine : true; parsing : permissive;
        compression : gzip;
      output Zipped : at = TupleNumber();
    }
    stream<Row> SlowZipped = Throttle(Zipped) { param rate : 700.0; }
    () as ZippedOut = FileSink(SlowZipped) {
      param file : "zipped{id}"; closeMode : count; tuplesPerFile : 100u;
    }
    stream<Row> Gone = FileSource() {
      param file : "gone.csv"; format : csv; hasHeaderLine : true; parsing : permissive;
        deleteFile : true;
      output Gone : at = TupleNumber();
    }
    stream<Row> SlowGone = Throttle(Gone) { param rate : 700.0; }
    () as GoneOut = FileSink(SlowGone) { param file : "gone"; }
    stream<Row> Delayed = FileSource() {
      param file : "delayed.csv"; format : csv; hasDelayField : true; parsing : permissive;
      output Delayed : at = TupleNumber();
    }
    () as DelayedOut = FileSink(Delayed) { param file : "delayed"; }
    stream<int32 n, rstring text, int64 at> Literals = FileSource() {
      param file : "in.txt"; format : txt;
      output Literals : at = TupleNumber();
    }
    stream<Literals> SlowLiterals = Throttle(Literals) { param rate : 700.0; }
    () as LiteralsOut = FileSink(SlowLiterals) { param file : "literals"; }

    // Texts in pieces.
    stream<blob piece> Pieces = FileSource() {
      param file : "in.csv"; format : block; blockSize : 17u;
    }
    stream<Pieces> SlowPieces = Throttle(Pieces) { param rate : 900.0; }
    stream<Row> Parsed = Parse(SlowPieces) {
      param format : csv; hasHeaderLine : true; parsing : permissive;
      output Parsed : at = TupleNumber();
    }
    () as ParsedOut = FileSink(Parsed) { param file : "parsed"; }
    stream<blob piece> XmlPieces = FileSource() {
      param file : "in.xml"; format : block; blockSize : 101u;
    }
    stream<XmlPieces> SlowXml = Throttle(XmlPieces) { param rate : 600.0; }
    stream<int32 n, rstring text> Items = XMLParse(SlowXml) {
      param trigger : "/all/item"; xmlInput : piece; parsing : permissive;
      output Items : n = (int32) XPath("@n"), text = XPath("text()");
    }
    () as ItemsOut = FileSink(Items) { param file : "items"; }

    // Compressed on the way.
    stream<blob packed> Packed = Compress(SlowPieces) { param compression : gzip; }
    () as PackedOut = FileSink(Packed) { param file : "packed.gz"; format : block; }
    stream<blob piece> Bz = FileSource() { param file : "in.bz2"; format : block; blockSize : 16u; }
    stream<Bz> SlowBz = Throttle(Bz) { param rate : 700.0; }
    stream<blob piece> Unpacked = Decompress(SlowBz) { param compression : bzip2; }
    () as UnpackedOut = FileSink(Unpacked) { param file : "unpacked"; format : block; }

    // Many files.
    () as Dealt = Distribute(Plain) { param key : text; buckets : 5u; directory : "dealt"; }
    stream<rstring name> Names = DirectoryScan() {
      param directory : "scanned"; once : true; sortBy : name;
    }
    stream<Names> SlowNames = Throttle(Names) { param rate : 100.0; }
    stream<rstring line> Lines = FileSource(SlowNames) {
      param format : line; moveFileToDirectory : "taken";
    }
    () as LinesOut = FileSink(Lines) { param file : "lines"; }
    stream<rstring name, uint64 size> Moved = DirectoryScan() {
      param directory : "queue"; moveToDirectory : "queued"; once : true; sortBy : name;
      output Moved : name = DestinationFilePath(), size = Size();
    }
    () as MovedOut = FileSink(Moved) { param file : "moved"; }
    stream<rstring name> MovedNames = Functor(Moved) {}
    stream<rstring line> MovedLines = FileSource(MovedNames) {
      param format : line; deleteFile : true;
    }
    () as MovedLinesOut = FileSink(MovedLines) { param file : "movedLines"; }
}
""",
)
program, queued = os.path.join(FOLDER, "natives"), os.path.join(FOLDER, "queued")
expect("build", sluice("build", source, "-o", program).stderr, "")
expect("build", sluice("build", source, "--boundaries=all", "-o", queued).stderr, "")
FILES["in.bz2"] = bz2.compress(CSV.encode()) + bz2.compress(XML.encode())


def prepare(name):
    for file, content in FILES.items():
        write(f"{name}/data/{file}", content)
    for directory in "taken", "queued":
        os.makedirs(os.path.join(FOLDER, name, "data", directory))


def unpacked(files):
    """Where a compressed text ended is of no matter."""
    ways = {".gz": gzip.decompress, ".bz2": bz2.decompress}
    return {name: ways.get(os.path.splitext(name)[1], bytes)(files[name]) for name in files}


prepare("undisturbed")
wanted = unpacked(files_of(undisturbed(program, "undisturbed")))
for seed, (made, *options) in enumerate(
    [(program,), (program, "--batch-rows=1"), (queued, "--queues=all", "--threads=2")]
):
    name = f"killed{seed}"
    prepare(name)
    runs = Killed(made, name, *options, seed=seed)
    runs.run()
    for operator in "Quick", "Zipped", "Wide", "Gone", "Parsed":
        counts = set(re.findall(rf"operator {operator}: .*?: (\d+) bad rows left out", runs.out))
        expect(f"{name}: bad rows of {operator}", counts, {"24"})
    if runs.kills < 3:
        expect(f"{name}: kills", runs.kills, "3 or more")
    got = unpacked(files_of(runs.data))
    expect(f"{name}: files", sorted(got), sorted(wanted))
    for file in wanted:
        if got.get(file) != wanted[file]:
            expect(f"{name}: {file}", got.get(file, b"")[-300:], wanted[file][-300:])
            expect(f"{name}: length of {file}", len(got.get(file, b"")), len(wanted[file]))
finish()
