import Dispatch
import TroveBackendKit

// Called by live objects, with the lock of the domain held.
extension ObjectContext: ObjectHost {
    func willChange(_ object: any LiveModel, field: Int) {
        let live = object.live
        if live.isLost { return noteFault(object.changeIsLost) }
        if live.status == .clean || (live.status == .deleted && live.image == nil) {
            do {
                live.image = try encoded(object)
            } catch {
                // It came from a record, so it can be encoded; without an image a roll-back reads the store.
                report(error)
            }
        }
        switch live.status {
        case .clean:
            live.status = .changed
            addPending(object)
        case .detached, .inserted, .changed, .deleted, .gone: break
        }
        state.recorder?.willChange(object, field: field)
        tellLists(type(of: object), deletes: false)
    }

    func didReachChangeLimit() { saveSoon() }

    func object<Target: LiveModel>(_ reference: Reference<Target>, of owner: any LiveModel, field: Int) -> Target? {
        fault(reference, of: owner, field: field)
    }

    func objects<Target: LiveModel>(_ references: [Reference<Target>], of owner: any LiveModel, field: Int) -> [Target] {
        faults(references, of: owner, field: field)
    }

    func resolve<Target: LiveModel>(_ reference: Reference<Target>) throws -> Target {
        guard let object = try fetch(Target.self, id: reference.id) else { throw dangling(reference) }
        return object
    }

    func presentObject(_ model: any LiveModel.Type, _ key: [UInt8]) -> (any LiveModel)? {
        guard let object = map.object(ObjectKey(ObjectIdentifier(model), key)) else { return nil }
        let status = object.live.status
        return status == .deleted || status == .gone ? nil : object
    }

    func loadedObject(_ reference: AnyReference) -> (any LiveModel)? {
        guard let type = classes[reference.modelName] else { return nil }
        let key = ObjectKey(ObjectIdentifier(type), reference.keyBytes)
        if let object = map.object(key) { return object }
        // Asked for to change it with its other side: when it is loaded before that is saved, its record alone is not enough.
        state.noteOutdated(key)
        return nil
    }

    func refuse(_ error: any Error) {
        if state.refusal == nil { state.refusal = error }
        report(error)
    }

    func inverse(of field: Int, in model: any LiveModel.Type) -> Int? {
        core.relationships(of: model.schema.name).first { $0.field == field }?.inverse?.field
    }

    func formerTargets<Target: LiveModel>(of owner: any LiveModel, field: Int, inverse: Int?) -> [Reference<Target>] {
        var targets: [Reference<Target>] = []
        if let image = owner.live.image {
            do {
                let value = try storedRecord(image, of: owner)[type(of: owner).schema.fields[field].name]
                if let value { targets = try [Reference<Target>](converting: value.converted(to: [Reference<Target>].fieldType)) }
            } catch {
                report(error)
            }
        }
        guard let inverse else { return targets }
        // What began to point at it since has changed with it.
        let owner = owner.reference
        for pending in state.pending where pending.status != .detached {
            guard let object = pending.object as? Target, object._$targets(of: inverse).contains(owner) else { continue }
            targets.append(Reference(object))
        }
        return targets
    }

    /// Keeps an object that has something to be saved.
    func addPending(_ object: any LiveModel) {
        let model = known(type(of: object))
        let (isListed, isDeleted) = object._$state._withUnsafeGuaranteedRef { live in
            defer { live.isListed = true }
            return (live.isListed, live.status == .deleted)
        }
        if !isListed { state.list(PendingObject(object, model)) }
        if isDeleted { state.hasRemovals = true }
        if isDeleted || model._withUnsafeGuaranteedRef({ $0.ownsObjects }) { state.mayDelete = true }
        saveLater()
    }
}

// All with the lock of the domain held.
extension ObjectContext {
    /// Begins to count changes anew.
    func resetChangeLimit() {
        domain.changesLeft = options.autosave.changeCount ?? .max
    }

    /// Counts an insertion or deletion as a change.
    func countChange() {
        domain.changesLeft &-= 1
        if domain.changesLeft == 0 { didReachChangeLimit() }
    }

    /// Saves when the time has passed that changes may wait, if there is one.
    func saveLater() {
        guard !state.isTimed, let interval = options.autosave.delay(afterFailures: state.failedSaveCount) else { return }
        state.isTimed = true
        state.timer &+= 1
        let timer = state.timer
        queue.asyncAfter(deadline: .now() + interval.dispatchInterval) { [weak self] in
            guard let self, domain.withLock({ self.endTime(timer) }) else { return }
            saveUnattended()
        }
    }

    /// Ends a time that has passed; false when it no longer counts.
    private func endTime(_ timer: UInt64) -> Bool {
        guard timer == state.timer else { return false }
        state.isTimed = false
        return true
    }

    /// Lets changes wait no longer than in a context whose saves have never failed.
    func forgetFailedSaves() {
        guard state.failedSaveCount > 0 else { return }
        state.failedSaveCount = 0
        forgetTime()
    }

    /// Lets a time that was set count no longer.
    private func forgetTime() {
        state.timer &+= 1
        state.isTimed = false
    }

    /// Saves as soon as the thread that changes objects goes on.
    func saveSoon() {
        resetChangeLimit()
        if state.isQueued { return }
        state.isQueued = true
        queue.async { [weak self] in
            guard let self else { return }
            domain.withLock { state.isQueued = false }
            saveUnattended()
        }
    }

    private func saveUnattended() {
        do {
            try save()
        } catch {
            report(error)
            // One that fails before its cut, as by a hook, has nothing that begins to wait anew.
            domain.withLock {
                guard state.pending.contains(where: { $0.status.isPending }) else { return }
                state.failedSaveCount += 1
                // One that fails in its transaction has begun to wait anew before its failure was counted.
                forgetTime()
                saveLater()
            }
        }
    }
}
