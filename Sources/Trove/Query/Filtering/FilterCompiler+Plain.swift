extension FilterCompiler {
    /// Whether a look at a filter tells that nothing is wrong with it: it compares fields of the model with values of their own types.
    ///
    /// Such a filter goes through no references, and need not be worked out where an index answers it.
    func isPlainlyRight(_ filter: Filter) -> Bool {
        switch filter {
        case .constant: true
        case .comparison: isPlainComparison(filter)
        case .and(let filters): filters.allSatisfy(isPlainComparison)
        default: false
        }
    }

    private func isPlainComparison(_ filter: Filter) -> Bool {
        guard case .comparison(.path(let path), let comparison, .value(let value), ignoringCase: false) = filter, path.names.isEmpty, !path.isCount else { return false }
        let type: FieldType
        if let position = binding.layout.position(of: path.field) {
            type = binding.layout.fields[position].type
        } else if path == .id, let idType = binding.idType {
            type = idType
        } else {
            return false
        }
        return switch (type.unwrapped, value) {
        case (.string, .string), (.date, .date), (.double, .double): true
        case (.int64, .int), (.int32, .int), (.int16, .int), (.int8, .int), (.uint32, .int), (.uint16, .int), (.uint8, .int): true
        case (.bool, .bool), (.objectID, .objectID), (.uuid, .uuid): comparison.isEquality
        default: false
        }
    }
}
