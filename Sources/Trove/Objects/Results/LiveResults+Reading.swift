import Dispatch

extension LiveResults {
    /// Reads the list again and returns when it shows all changes that were made before the call.
    ///
    /// ```swift
    /// song.title = "Solar"
    /// try songs.refresh()
    /// ```
    ///
    /// The list changes on this thread; call it on the queue that the list was made with, if there is one.
    ///
    /// - Throws: what a fetch of the context throws, which ``error`` has too; ``TroveError/contextMisuse(reason:)`` when the context is gone, and inside
    ///   ``ObjectContext/perform(_:)``, a read, or a transaction of the store.
    public func refresh() throws {
        let context = try context.get()
        try context.checkMayWait("refresh a live list")
        show(try reading(in: context, on: nil))
    }

    /// Reads the list again on a reader thread, and returns when it shows all changes that were made before the call. It changes as otherwise: on the queue
    /// that it was made with, if there is one.
    ///
    /// - Throws: what ``refresh()`` throws, and `CancellationError`; then the list stays as it was.
    public func refresh() async throws {
        let context = try context.get()
        let reading: ResultReading<Object>
        do {
            reading = try await context._onReader { try self.reading(in: context, on: self.queue) }
        } catch {
            // The list has the error by then.
            await inTurn {}
            throw error
        }
        await inTurn { self.show(reading) }
    }

    /// Runs `body` where the list changes, and returns when it has run.
    private func inTurn(_ body: @escaping @Sendable () -> Void) async {
        guard let queue else { return body() }
        await withCheckedContinuation { continuation in
            queue.async {
                body()
                continuation.resume()
            }
        }
    }

    /// Fills the list before anybody else has it.
    func readFirst() throws { show(try reading(in: context.get(), on: nil)) }

    /// Reads the list again since something has changed.
    func refetch() {
        guard let context = try? context.get() else { return trigger.end() }
        // Nobody waits for its error, which the list has.
        guard let reading = try? reading(in: context, on: queue) else { return }
        guard let queue else { return show(reading) }
        queue.async { self.show(reading) }
    }

    /// A new state of the list. The error of one that cannot be read is kept.
    ///
    /// - Parameter queue: where the list has the error; nil for this thread.
    private func reading(in context: ObjectContext, on queue: DispatchQueue?) throws -> ResultReading<Object> {
        var number: UInt64 = 0
        do {
            // Both at once: of two readings the one that clears the mark last has to be the one that is shown.
            let result: ObservedResult<Object> = try context.result(of: draft) {
                number = shown.beginReading()
                trigger.beginReading()
            }
            let next = ResultSnapshot<Object>(number: number, result)
            let (former, sectionings) = (shown.snapshot, shown.sectionings)
            // Each of them is asked: it has to know the state before it is shown.
            let areOther = sectionings.map { $0.prepare(next, after: former) }
            return ResultReading(next: next, former: former, hasOtherSections: sectionings.isEmpty ? nil : areOther.contains(true))
        } catch {
            // What a reading that was called off would have shown is still to be read.
            if error is CancellationError { trigger.note() } else { tell(error, of: number, on: queue) }
            throw error
        }
    }

    private func show(_ reading: ResultReading<Object>) {
        let change = shown.show(reading)
        if change.isOther { tellChange(of: \.objects) }
        if change.endsError { tellChange(of: \.error) }
        for sections in shown.sectionings { sections.forget(reading.next, isShown: change.isOther) }
    }

    private func tell(_ error: any Error, of number: UInt64, on queue: DispatchQueue?) {
        guard let queue else { return fail(error, of: number) }
        queue.async { self.fail(error, of: number) }
    }

    private func fail(_ error: any Error, of number: UInt64) {
        if shown.fail(error, number) { tellChange(of: \.error) }
    }

    /// Tells those who observe the list, after the change: who looks again when told that it is to come might look too early.
    private func tellChange<Value>(of property: KeyPath<LiveResults, Value>) {
        registrar.willSet(self, keyPath: property)
        registrar.didSet(self, keyPath: property)
    }
}

extension ObjectContext {
    /// What a fetch finds, with what tells whether an object has other values than when it was found before.
    ///
    /// - Parameter begin: is called with the lock: the changes before it are shown, and those behind it told.
    func result<Object: LiveModel>(of draft: QueryDraft, _ begin: () -> Void) throws -> ObservedResult<Object> {
        domain.withLock {
            begin()
            // The next change of each object is told again, as it may come after the pending changes were taken.
            domain.beginEpoch()
        }
        let found: ObservedResult<Object> = try _read(_QueryScope(draft)) { try $0.observedResult(of: draft) }
        let counts = domain.withLock { found.rows.map { $0.object._$state._withUnsafeGuaranteedRef { $0.changeCount } } }
        // By its count, a merge that gives an object the values its record has had before is noticed; by its address, that another one is in its place.
        return ObservedResult(
            rows: zip(found.rows, counts).map { row, count in
                let address = UInt64(UInt(bitPattern: ObjectIdentifier(row.object)))
                let seen = row.hash ^ (count &* 0x9E37_79B9_7F4A_7C15) ^ (address &* 0xD1B5_4A32_D192_ED03)
                return .init(key: row.key, hash: seen, object: row.object)
            })
    }
}
