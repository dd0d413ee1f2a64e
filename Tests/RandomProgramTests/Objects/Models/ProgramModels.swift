import Trove

// What items live in. A key path names a model that is declared before: the compiler (6.3) fails on others in the argument of a macro.

/// Owned by boxes; some ids are so long that the engine's keys are shortened forms of them.
@Model("Part") struct ProgramPart {
    var id: String
    @Attribute(.indexed) var weight: Int
}

/// Owns parts; goes with its parent.
@Model("Box") struct ProgramBox {
    var id: Int
    @Attribute(.indexed(ignoringCase: true)) var name: String
    @Relationship(whenTargetDeleted: .cascade) var parent: Reference<ProgramBox>?
    @Relationship(deleteRule: .cascade) var parts: [Reference<ProgramPart>] = []
}

/// Keeps a box from being deleted.
@Model("Lock") struct ProgramLock {
    var id: Int
    var box: Reference<ProgramBox>
}

/// Known by two values, so that saving the same again replaces it.
@Model("Entry") struct ProgramEntry {
    #Unique<ProgramEntry>([\.shelf, \.place], identity: true)
    var shelf: String
    var place: Int
    @Attribute(.indexed) var count: Int
}
