/// What became of a cut that was saved.
struct SaveOutcome {
    let cut: ChangeCut
    /// What was done otherwise than the cut says.
    let settlements: [Int: Settlement]
    /// All records that the save changed.
    let changes: [RecordChange]
}
