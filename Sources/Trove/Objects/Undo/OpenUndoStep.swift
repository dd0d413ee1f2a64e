/// A step that still grows.
struct OpenUndoStep {
    /// The groups that are open, one inside the other; none in a step that nobody opened, which ends with the next one.
    var depth: Int
    let name: String?
    private(set) var touched: [UndoEntry] = []
    private var known: Set<ObjectIdentifier> = []

    init(depth: Int, name: String?) {
        self.depth = depth
        self.name = name
    }

    func knows(_ object: any LiveModel) -> Bool { known.contains(ObjectIdentifier(object)) }

    /// Notes an object as it was before the step.
    mutating func add(_ object: any LiveModel, before: [UInt8]?) {
        known.insert(ObjectIdentifier(object))
        touched.append(UndoEntry(object: object, before: before, after: nil, wasRestored: object._$live.isRestored))
    }
}
