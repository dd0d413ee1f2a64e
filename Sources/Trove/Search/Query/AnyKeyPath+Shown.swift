extension AnyKeyPath {
    /// The key path for messages: `\Song.title`; of a computed property, which has no name at run time, `\Song.<computed (String)>`.
    var shownInErrors: String {
        // Swift writes the address of a computed property's getter, which tells nobody anything.
        debugDescription.replacing(#/ 0x[0-9a-fA-F]+/#, with: "")
    }
}
