/// Objects on their way from a reader's thread. Unchecked: each is one of a model, and models are `Sendable`, though a
/// protocol that they conform to may not say so.
struct FetchedObjects<Objects>: @unchecked Sendable {
    let objects: Objects

    init(_ objects: Objects) { self.objects = objects }
}
