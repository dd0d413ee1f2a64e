extension ModelSchema {
    /// - Throws: ``TroveError/schemaMismatch(model:reason:)`` when a property is to have the date of a save and cannot.
    func checkSavedDates() throws {
        for (option, name) in [(FieldOptions.creationDate, ".creationDate"), (.modificationDate, ".modificationDate")] {
            let dated = fields.filter { $0.options.contains(option) }
            func refusal(_ reason: String) -> TroveError { .schemaMismatch(model: self.name, reason: reason) }
            if dated.count > 1 { throw refusal("'\(dated[0].name)' and '\(dated[1].name)' both have '\(name)'; one property has it") }
            guard let field = dated.first else { continue }
            if field.type != .optional(.date) { throw refusal("'\(field.name)' has '\(name)' and is no optional date; make its type 'Date?'") }
            if field.isEncrypted { throw refusal("'\(field.name)' has '\(name)' and is encrypted; the store writes the date by itself, so leave out one of the two") }
            if !field.options.isDisjoint(with: [.writeOnce, .keepIfNil]) { throw refusal("'\(field.name)' has '\(name)', which says how it is saved; leave out '.writeOnce' and '.keepIfNil'") }
            if field.options.isSuperset(of: [.creationDate, .modificationDate]) { throw refusal("'\(field.name)' cannot have both dates; declare two properties") }
        }
    }
}
