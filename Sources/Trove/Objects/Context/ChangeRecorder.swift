/// Is told of every change of a context's objects, with the context's lock held: what undo builds upon.
///
/// To be told of the next change of each object again, a recorder begins an epoch of the context's domain. ``ObjectContext/restore(_:to:)``
/// makes an object as it was.
protocol ChangeRecorder: AnyObject, Sendable {
    /// An object is about to be changed for the first time in the domain's epoch; it still has its former values.
    func willChange(_ object: any LiveModel, field: Int)

    /// A new object was inserted.
    func didInsert(_ object: any LiveModel)

    /// An object is about to be marked as deleted, or, when it was inserted and not saved, to leave the context.
    func willDelete(_ object: any LiveModel)

    /// A save has been committed and its objects brought up to it.
    ///
    /// - Parameter changes: all records it changed, those of rules and inverses among them, as they were and are.
    func didSave(_ changes: [RecordChange])

    /// All pending changes were taken back.
    func didRollBack()
}
