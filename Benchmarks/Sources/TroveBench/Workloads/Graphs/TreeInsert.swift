/// Storing an object that owns all others.
struct TreeInsert: TreeWorkload {
    let name = "tree-insert"
    let title = "A tree with its nodes stored"
    let explanation = """
        A tree and the nodes it owns are stored in a new store, in one transaction: Trove's tree has the ordered list of its nodes, in GRDB's \
        table each node has its tree and its place in it.
        """

    var preparation: [String] { [] }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count + 1) }

    func run(on store: any TreeStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let insert = try store.insertion()
        try gauge.measure(insert)
        return Tally(count: try store.count())
    }
}
