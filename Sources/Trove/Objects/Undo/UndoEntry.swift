/// What one step did to one object: its record before and after, in the current layout of its model; nil where the object was not there.
struct UndoEntry {
    let object: any LiveModel
    var before: [UInt8]?
    var after: [UInt8]?
    /// The object's ``LiveObjectState/isRestored`` before and after.
    var wasRestored = false
    var isRestored = false

    /// The way back.
    var reversed: UndoEntry {
        UndoEntry(object: object, before: after, after: before, wasRestored: isRestored, isRestored: wasRestored)
    }
}
