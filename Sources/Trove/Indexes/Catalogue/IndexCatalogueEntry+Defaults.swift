extension IndexCatalogueEntry {
    /// Whether records that lack a field have one value in the index and another in a program's objects: its model has another default than that of the program
    /// that made the index, and a layout that records may have is without the field.
    ///
    /// Not of a model that the program does not have: it tells no defaults, and what it cannot tell of such records it leaves alone.
    ///
    /// - Parameter layouts: the catalogue's entries about layouts, asked for when a default differs.
    func hasOtherDefaults(than model: ModelBinding, _ layouts: @autoclosure () throws -> [LayoutEntry]) rethrows -> Bool {
        if defaults.isEmpty { return false }
        let fields = model.schema.fields
        let places = fields.indices.filter { place in
            guard let present = fields[place].valueWhenMissing, let made = defaults[fields[place].name] else { return false }
            return present != made
        }
        if places.isEmpty { return false }
        return try layouts().contains { entry in
            entry.layout.modelName == modelName && !entry.isRetired && entry.layout.number != model.layout.number && model.lacks(places, in: entry.layout)
        }
    }
}
