// What somebody tries who has a struct and a context; the compiler says where structs go.
extension ObjectContext {
    @available(
        *, unavailable,
        message: "a context keeps objects of classes, and this is a struct: save it in the store, 'try store.save(song)', or make its model a class"
    )
    @_disfavoredOverload
    public func insert(_ object: some Model) throws {}

    @available(
        *, unavailable,
        message: "a context keeps objects of classes, and these are structs: save them in the store, 'try store.save(songs)', or make their model a class"
    )
    @_disfavoredOverload
    public func insert(_ objects: some Sequence<some Model>) throws {}

    @available(
        *, unavailable,
        message: "a context keeps objects of classes, and this is a struct: delete it in the store, 'try store.delete(song)'"
    )
    @_disfavoredOverload
    public func delete(_ object: some Model) throws {}
}
