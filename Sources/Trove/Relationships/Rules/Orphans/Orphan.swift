/// A record that was taken out of a relationship that owns it.
struct Orphan: Hashable {
    let record: RecordNumber
    /// ``DeleteRule/cascade`` or ``DeleteRule/cascadeWhenUnreferenced``.
    let rule: DeleteRule
}
