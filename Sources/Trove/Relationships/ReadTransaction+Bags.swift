extension ReadTransaction {
    /// Whether the store has, or once had, a bag: from its first one on it has indexes of bags.
    var hasBags: Bool {
        get throws { try indexTable.hasEntries(of: StoredBag.schema.name) }
    }

    /// All relationships, and what points from bags to their members.
    var relationshipsAndMemberships: [RelationshipBinding] {
        get throws { try core.relationships.all + (hasBags ? [core.bags.members] : []) }
    }
}
