/// A model whose objects judge themselves before they are stored.
///
/// ```swift
/// @Model struct Booking: ValidatedModel {
///     var room: String
///     var start: Date
///     var end: Date
///
///     func validate() throws {
///         if room.isEmpty { throw BookingError.noRoom }
///         guard start < end else { throw BookingError.endsBeforeItBegins(start, end) }
///     }
/// }
///
/// try store.save(booking)                 // throws what validate() throws, and stores nothing
/// ```
///
/// Whatever writes the record of an object asks it: a save, an insertion, an update of a query's objects by closure or by property, a document of the model,
/// an import, the other side of a relationship, a delete rule. It is asked each time, also midway of a transaction: change what belongs together in one object
/// before it is saved. What is stored already is not judged when it is read, nor when ``ObjectStore/upgrade(_:batchSize:progress:)`` or a rotation
/// of keys writes it again.
///
/// A live object's ``LiveModel/validate()`` is called by a save of its context alone, of the object itself. A class that is a `ValidatedModel` too is also
/// asked by all the others, of a copy: what inverses and delete rules change, and what a merge has made of an object, in a save of its context too.
///
/// The rule is the program's: a program that does not have the model, such as the command line, stores what it is told to.
///
/// - Complexity: each write of an object makes one of its record. A model that is none of these pays nothing.
public protocol ValidatedModel: Model {
    /// Throws when the object must not be stored. The call that stores it throws the error as it is, and nothing of the object is stored.
    ///
    /// It is asked of a copy as it would be stored: fields that are written once have the stored value, dates of saves are set, `@Transient` properties have
    /// their default values, and an object of a class is in no context. It runs inside of the write transaction, so it must use neither the store nor live
    /// objects, and it may be asked more than once for one save. A rule between objects belongs into a unique index, a relationship or a ``CustomDeleteRule``.
    ///
    /// A live object that its context saves is asked itself, before the dates of the save are set and stored values are kept: let a missing date pass.
    func validate() throws
}
