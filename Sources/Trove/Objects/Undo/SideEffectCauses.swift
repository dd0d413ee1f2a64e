/// What a save did to a record beside the objects that were changed, by a delete rule or an inverse.
struct SideEffect {
    let key: ObjectKey
    let type: any LiveModel.Type
    /// The record before, in the current layout.
    let before: [UInt8]
    /// The record after; nil when it was deleted.
    let after: [UInt8]?
    /// What refers to the record.
    let reference: AnyReference
}

/// Finds what the side effects of a save follow from, as was noted when each came about.
struct SideEffectCauses {
    private let causes: [AnyReference: AnyReference]

    init(_ changes: [RecordChange]) {
        causes = Dictionary(changes.compactMap { change in change.cause.map { (change.reference, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The nearest record of those that are meant from which rules and inverses came to this one; nil when there is none.
    func cause(of reference: AnyReference, where isMeant: (AnyReference) -> Bool) -> AnyReference? {
        var met: Set<AnyReference> = []
        var next = causes[reference]
        while let cause = next, met.insert(cause).inserted {
            if isMeant(cause) { return cause }
            next = causes[cause]
        }
        return nil
    }
}
