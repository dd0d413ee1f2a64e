/// A reference that cannot be nil, and stayed where its target's inverse does not have the source any more.
struct OnesidedReference {
    let relationship: Int
    let source: RecordNumber
    let target: RecordNumber
}
