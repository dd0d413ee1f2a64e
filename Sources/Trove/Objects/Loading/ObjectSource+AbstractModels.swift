extension ObjectSource {
    /// A query for the objects of all models that inherit a class.
    ///
    /// ```swift
    /// let media: [Media] = try context.fetchAny(Media.self).where { $0.title.hasPrefix("A") }.sorted(by: \.title).all()
    /// ```
    public func fetchAny<Superclass: AbstractModel>(_ superclass: Superclass.Type) -> MixedFetch<Superclass, Self> {
        MixedFetch(self, .models(String(describing: Superclass.self), Superclass._$properties, where: { $0 is Superclass.Type }))
    }
}
