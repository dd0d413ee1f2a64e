import TroveStorage

extension SealedWriter {
    /// Marks about `count` nodes and large values that are sealed with older keys than the active one, so that the commit seals them anew.
    func renew(count: Int) throws {
        var budget = count
        try engineCall {
            for (name, tree) in try storedTrees() where budget > 0 && (tree.pointer?.oldestKey ?? .max) < session.activeKey {
                guard let position = try position(of: name) else { continue }
                try contents.opened[position].tree.renew(budget: &budget, with: session)
                contents.opened[position].isChanged = true
                noteChange()
            }
            guard budget > 0, (contents.catalogue.sealed.pointer?.oldestKey ?? .max) < session.activeKey else { return }
            try contents.catalogue.renew(budget: &budget, with: session)
            noteChange()
        }
    }

    /// The keyspaces as the catalogue has them.
    private func storedTrees() throws -> [(name: [UInt8], tree: SealedTree.Descriptor)] {
        var trees: [(name: [UInt8], tree: SealedTree.Descriptor)] = []
        var spot = try contents.catalogue.seek([], in: source)
        while let found = spot {
            let entries = found.page.entries
            for position in 0..<entries.count {
                do { trees.append((entries.key(position), try SealedTree.Descriptor(entries.payload(position)))) } catch {
                    throw source.malformed("a keyspace has no tree")
                }
            }
            spot = try found.high.flatMap { try contents.catalogue.seek(from: $0, in: source) }
        }
        return trees
    }
}
