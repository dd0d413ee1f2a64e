/// Where a path goes through a reference: the path to the reference, and the path from what it points at.
struct ReferenceHop {
    let path: FieldPath
    let relationship: RelationshipBinding
    /// The path to the reference.
    let reference: FieldPath
    /// The path from the object that it points at.
    let rest: FieldPath

    /// The path to the reference when the whole path leads to no more than the id, which the reference is.
    var ownPath: FieldPath? { rest == .id ? reference : nil }

    /// - Parameter count: how many of the path's names lead to the reference; nil when no more names follow.
    init?(_ path: FieldPath, at count: Int, _ relationship: RelationshipBinding) {
        guard path.names.count > count else { return nil }
        self.path = path
        self.relationship = relationship
        reference = FieldPath(field: path.field, names: Array(path.names[..<count]))
        rest = FieldPath(field: path.names[count], names: Array(path.names[(count + 1)...]))
    }
}
