/// That a reference is to be put into, or taken out of, a relationship of a stored record.
struct ReferenceEdit {
    let relationship: Int
    let record: RecordNumber
    let target: RecordNumber
    let inserts: Bool
}
