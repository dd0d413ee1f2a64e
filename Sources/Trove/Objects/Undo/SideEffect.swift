/// What a save did to a record beside the objects that were changed, by a delete rule or an inverse.
struct SideEffect {
    let key: ObjectKey
    let type: any LiveModel.Type
    /// The record before, in the current layout.
    let before: [UInt8]
    /// The record after; nil when it was deleted.
    let after: [UInt8]?
}
