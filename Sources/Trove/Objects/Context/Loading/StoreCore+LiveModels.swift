extension StoreCore {
    /// The models that are classes, by their names.
    var liveModels: [String: any LiveModel.Type] {
        var classes: [String: any LiveModel.Type] = [:]
        for binding in modelBindings {
            if let type = model(named: binding.schema.name) as? any LiveModel.Type { classes[binding.schema.name] = type }
        }
        return classes
    }
}
