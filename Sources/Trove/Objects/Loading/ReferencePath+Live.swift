// Live objects have their relationships themselves; the compiler says so where one is asked for as a reference of a struct is.
extension ReferencePath {
    @available(
        *, unavailable,
        message:
            "'including' follows the references of structs; live objects load theirs when they are asked for, and many at once by 'context.load(\\.team, of: players)'"
    )
    public subscript<Next: LiveModel>(dynamicMember property: KeyPath<Target, Next?> & Sendable) -> ReferencePath<Root, Next> {
        ReferencePath<Root, Next> { _, _, _ in [] }
    }

    @available(
        *, unavailable,
        message:
            "'including' follows the references of structs; live objects load theirs when they are asked for, and many at once by 'context.load(\\.songs, of: albums)'"
    )
    public subscript<Members: Sequence>(dynamicMember property: KeyPath<Target, Members> & Sendable) -> ReferencePath<Root, Members.Element>
    where Members.Element: LiveModel {
        ReferencePath<Root, Members.Element> { _, _, _ in [] }
    }
}
