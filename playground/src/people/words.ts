// What roles are called, and what they may do.
import type { Role } from './place';

export const ROLE: Record<Role, string> = { ADMIN: 'admin', MEMBER: 'member', READER: 'reader' };

export type Kind = 'Environment' | 'Team';

export const MAY: Record<Kind, Record<Role, string>> = {
  Environment: {
    READER: 'Sees everything in it, and changes nothing.',
    MEMBER: 'Sees it and its members, and may make teams; beside that, only what their own teams own.',
    ADMIN: 'Sees and changes everything in it, and decides on its members and teams.',
  },
  Team: {
    READER: '',
    MEMBER: 'Sees and changes what the team owns, and starts and stops it.',
    ADMIN: 'The same, and decides on its members.',
  },
};
