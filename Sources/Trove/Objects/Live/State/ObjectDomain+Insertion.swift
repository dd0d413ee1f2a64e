import Synchronization

// All of these are called with the domain's lock held.
extension ObjectDomain {
    /// Brings those of the objects into the context that are in none.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when one is in another context; then none is brought in.
    @inlinable func admit(_ objects: [some LiveModel]) throws {
        for object in objects where !isHome(of: object._$live) || object._$live.status == .gone { try checkTarget(object) }
        for object in objects where !isHome(of: object._$live) { try tellInsertion(object) }
    }

    /// Whether an object with this state is in this domain.
    @inlinable func isHome(of state: LiveObjectState) -> Bool {
        state.domainAddress.load(ordering: .acquiring) == UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    }

    @usableFromInline func checkTarget(_ object: any LiveModel) throws {
        try check(object)
        if isHome(of: object._$live), object._$live.status == .gone { throw object.isNotInContext }
    }

    @usableFromInline func tellInsertion(_ object: any LiveModel) throws { try host?.insert(object) }

    /// - Throws: ``TroveError/foreignObject(model:id:)`` when the object is in another context.
    @usableFromInline func check(_ object: any LiveModel) throws {
        let domain = object._$live.domain
        if domain !== self, domain !== ObjectDomain.detached { throw object.isForeign }
    }

    /// An object in no context and all that it holds, over any number of steps, that are not in this domain yet; each once, and an
    /// object before those it holds.
    ///
    /// - Throws: ``TroveError/foreignObject(model:id:)`` when one is in another context.
    func detachedGraph(from object: any LiveModel) throws -> [any LiveModel] {
        try ObjectDomain.detached.withLock {
            var graph: [any LiveModel] = []
            var known: Set<ObjectIdentifier> = []
            var waiting: [any LiveModel] = [object]
            while let next = waiting.popLast() {
                try check(next)
                guard !isHome(of: next._$live), known.insert(ObjectIdentifier(next)).inserted else { continue }
                graph.append(next)
                let count = waiting.count
                next._$appendHeld(to: &waiting)
                waiting[count...].reverse()
            }
            return graph
        }
    }

    /// Moves objects of no context into this one, where they hold each other no longer. The host keeps them from then on.
    func adopt(_ graph: [any LiveModel]) {
        ObjectDomain.detached.withLock {
            for object in graph where !isHome(of: object._$live) {
                object._$live.move(to: self)
                object._$releaseHeld()
            }
        }
    }
}

extension LiveModel {
    fileprivate var isForeign: TroveError { .foreignObject(model: Self.schema.name, id: id.shownInErrors) }
}
