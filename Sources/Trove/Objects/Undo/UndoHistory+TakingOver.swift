/// What others have changed was not done by a step that still grows, so it counts as what was there before: undoing the step leaves it.
extension UndoHistory {
    /// Lets all that is noted of an object for the step that grows, and for the next save, have what others have changed in its record, as the object has.
    ///
    /// - Parameters:
    ///   - stored: the record that the object takes over, in the current layout; nil when others have deleted it.
    ///   - base: the record that this was made of, as the object knew it.
    func takeOver(_ stored: [UInt8]?, insteadOf base: @autoclosure () throws -> [UInt8], of object: any LiveModel) throws {
        if open == nil, saving == nil, lastImages.isEmpty { return }
        let key = key(of: object)
        let isNoted = (open?.knows(object) ?? false) || (open?.parts.concerns(object, key) ?? false) || (saving?.concerns(object, key) ?? false)
        guard isNoted || lastImages[key] != nil else { return }
        let base = try base()
        if base == stored { return }
        if stored == nil {
            open?.parts.dropEffects(on: key)
            saving?.dropEffects(on: key)
        }
        func takingOver(_ image: [UInt8]?) throws -> [UInt8]? {
            guard let image, let stored else { return nil }
            // The object has the others' values, so the step has changed none of these any more.
            return image == base ? stored : try merge(image, from: base, to: stored, of: object, keepingOwn: false)
        }
        try open?.mapBefore(of: object, takingOver)
        try open?.parts.mapImages(of: object, key, takingOver)
        try saving?.mapImages(of: object, key, takingOver)
        if let image = lastImages[key] { lastImages[key] = .some(try takingOver(image)) }
    }
}
