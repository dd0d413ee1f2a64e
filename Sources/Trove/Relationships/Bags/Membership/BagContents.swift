/// A bag's name and members at one time.
struct BagContents: Sendable, Equatable {
    var name: String?
    var members: MemberList

    init(name: String?, members: MemberList = MemberList()) {
        self.name = name
        self.members = members
    }

    init(_ stored: StoredBag) {
        self.init(name: stored.name, members: MemberList(stored.members))
    }

    /// What becomes of contents that were changed in two places at once: of two new names, these contents' counts.
    func merged(from base: BagContents, with other: BagContents, readded: (AnyReference) -> Bool = { _ in false }) -> BagContents {
        BagContents(
            name: name == base.name ? other.name : name,
            members: members.merged(from: base.members, with: other.members, readded: readded))
    }
}
