/// Deleting an object together with all that it owns.
struct CascadeDelete: TreeWorkload {
    let name = "cascade-delete"
    let order = 90
    let title = "Nodes deleted with their tree"
    let explanation = """
        The tree is deleted, and with it, by the rule of the relationship or the foreign key, all its nodes, in one transaction. The rate is that of nodes.
        """

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: 0) }

    func run(on store: any TreeStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let delete = try store.deletion()
        try gauge.measure(delete)
        return Tally(count: try store.count())
    }
}
