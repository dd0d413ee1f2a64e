import RawEngines

extension Tally {
    /// What a C program has added up.
    init(_ tally: raw_tally) {
        self.init(
            count: Int(tally.count), years: Int(tally.years), durations: tally.durations, textBytes: Int(tally.text_bytes),
            weighted: Int(truncatingIfNeeded: tally.weighted))
    }
}
