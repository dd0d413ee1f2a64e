/// What one save of a bag has to store.
struct BagChanges: Sendable {
    /// The number of the save among those of this ``Bag``.
    let number: Int
    /// The bag as it was when it was read or saved last; nil for one that was never saved.
    let saved: BagContents?
    /// The bag as it is to be.
    let current: BagContents
    /// The members that were added, with their objects where these were added.
    let additions: [AnyReference: (any Model)?]

    /// The bag as it is to be stored, when it is `stored` now.
    func merged(with stored: BagContents?) -> BagContents {
        guard let stored else { return current }
        return current.merged(from: saved ?? BagContents(name: nil), with: stored, readded: { additions[$0] != nil })
    }
}
