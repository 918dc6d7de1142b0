/// The text of `conformance --help`.
public enum Help {
  /// The text fits a terminal of 80 columns.
  public static let text = """
    usage: conformance [options]

    Runs the Promises/A+ suite on DynamicPromise, on every execution context that
    the library ships, and reports whether each ended as declared.

    What to run
      --context NAME       only this context; may be given several times
      --clause NUMBER      only cases at or below this clause: 2.3.3 of
                           Promises/A+, 27.2.4.1 of ECMA-262 (combinators),
                           or cancel; may be given several times
      --case ID            only this case, by its id or by its number in the
                           official suite (1 to 872); may be given several times
      --repeat N           run everything N times (at most 1000000) and report the
                           worst outcome
      --deadline SECONDS   how long one case may wait for something before it
                           counts as hanging (default: 20)
      --programs N         run N random programs of promises instead of the cases;
                           a run of everything as text or html also runs 100000
      --seed S             the seed of the first program (default: 0)
      --shard I/N          only the I-th of N parts of the programs
      --threads N          N threads share the operations of each program; with
                           more than 1 (the default), fewer rules are checked
      --reference NAME     run everything on the promises of this JavaScript
                           engine, such as node, instead: cases, and 5000
                           programs; a failure means that the engine disagrees
      --list               print the contexts and the chosen cases, run nothing

    What to print
      --format FORMAT      text (default), tap, json, junit, html or badge
      --verbose            text: one line for each case
      --color WHEN         text: auto (default), always or never; with auto,
                           a terminal shows colors unless NO_COLOR is set
      --help, -h           this text

    The id of each case is written to standard error before the case runs, so that
    the output names the case after a crash. A crash in a random program writes
    the program's seed.

    Exit status
      0    every case on every context ended as declared, every program held
      1    something failed, passed though declared as a deviation, or hung, or
           nothing ran
      64   the command line is invalid
      74   the report cannot be written
      130  interrupted (Ctrl-C); the results so far have been printed

    """
}
